"""Records whose arrays are as long as a machine needs them, for Python and for compiled code."""

import copy
import pickle

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.jit import (
    INTEGER,
    REAL,
    RecordType,
    entry,
    poison,
    record_type_of,
    resized,
    sizes,
    sizes_of,
)
from mb_model.record import MODEL, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

N, G = sizes('coordinates independent')
TOY = RecordType(
    f'{__name__}.TOY', state=[
        ('t', REAL), ('count', INTEGER), ('q', REAL, (N,)), ('R', REAL, (N, 2 * G + 1))],
    scratch=[('places', INTEGER, (3, N + G))])


@entry
def _fill(toys, value):
    """Write to every number what shows its index; return sums and lengths by the compiled side."""
    total = 0.0
    for k in range(toys.size):
        toy = toys[k]
        toy.t, toy.count = value + k, toy.q.size
        for i in range(toy.R.shape[0]):
            toy.q[i] = 10.0 * k + i
            for j in range(toy.R.shape[1]):
                toy.R[i, j] = 100.0 * k + 10.0 * i + j
        for i in range(toy.places.shape[0]):
            for j in range(toy.places.shape[1]):
                toy.places[i, j] = 1000 * k + 10 * i + j
        total += toy.R.sum() + toy.places[-1].sum()
    return total, len(toys)


@settings(deadline=None)      # the first call compiles
@given(st.integers(0, 4), st.integers(0, 9), st.integers(0, 4))
def test_compiled_functions_and_numpy_see_the_same_numbers(count, n, g):
    toys = TOY.new(count, coordinates=n, independent=g)
    total, found = _fill(toys, 0.5)
    assert found == count
    k, i, j = np.ogrid[:count, :n, :2 * g + 1]
    np.testing.assert_array_equal(toys['R'], 100.0 * k + 10.0 * i + j)
    np.testing.assert_array_equal(toys['q'], (10.0 * k + i)[:, :, 0])
    np.testing.assert_array_equal(toys['t'], 0.5 + np.arange(count))
    np.testing.assert_array_equal(toys['count'], n)
    k, i, j = np.ogrid[:count, :3, :n + g]
    np.testing.assert_array_equal(toys['places'], 1000 * k + 10 * i + j)
    assert total == toys['R'].sum() + toys['places'][:, -1].sum()


def test_one_compilation_serves_all_sizes():
    for n in range(5):
        _fill(TOY.new(1, coordinates=n, independent=2), 0.0)
    assert len(_fill.signatures) == 1


def test_records_are_copied_and_pickled_with_their_type():
    toys = TOY.new(2, coordinates=3, independent=1)
    _fill(toys, 2.0)
    for other in (toys.copy(), copy.deepcopy(toys), pickle.loads(pickle.dumps(toys))):
        assert other.tobytes() == toys.tobytes()
        assert record_type_of(other) is TOY
        assert sizes_of(other) == {'coordinates': 3, 'independent': 1}
        assert _fill(other, 2.0) == _fill(toys, 2.0)
    assert len(_fill.signatures) == 1


def test_resized_records_keep_what_has_the_same_length():
    toys = TOY.new(1, coordinates=3, independent=1)
    _fill(toys, 2.0)
    other = resized(toys, independent=2)
    assert sizes_of(other) == {'coordinates': 3, 'independent': 2}
    assert (other['t'], other['count']) == (2.0, 3)
    np.testing.assert_array_equal(other['q'], toys['q'])
    assert other['R'].shape == (1, 3, 5)
    assert not other['R'].any()


def test_poison_is_everywhere():
    toys = TOY.new(1, coordinates=3, independent=1)
    poison(toys, TOY.names('state'))
    assert np.isnan(toys['R']).all()
    assert toys['count'] == -7
    assert not toys['places'].any()


def test_wrong_sizes_and_fields_are_reported():
    with pytest.raises(TypeError, match=r"sizes \['coordinates'\], expected \['coordinates', 'ind"):
        TOY.new(1, coordinates=3)
    with pytest.raises(TypeError, match='two fields have one name'):
        RecordType('toy', one=[('a', REAL)], other=[('a', REAL, (3,))])
    with pytest.raises(TypeError, match='one behind the other'):
        _fill(TOY.new(4, coordinates=3, independent=1)[::2], 0.0)


@pytest.mark.parametrize('record_type', [MODEL, WORK, SPARSE_MODEL, SPARSE_WORK, CIRCUIT, FLUID])
def test_record_types_are_found_by_their_names(record_type):
    assert pickle.loads(pickle.dumps(record_type)) is record_type
    assert pickle.loads(pickle.dumps(record_type.record)) is record_type.record


def test_a_small_mechanism_has_small_records():
    work = load_mechanism('four_bar').workspace()
    assert work.nbytes < 24_000


def test_sizes_of_a_mechanism_are_those_of_its_file():
    crane = load_mechanism('crane')
    own = sizes_of(crane.model)
    assert (own['independent'], own['bodies']) == (crane.g, len(crane.bodies))
    assert crane.workspace()['q'].shape == (1, own['coordinates'])
    assert own['coordinates'] == max(int(crane.model['n_total'][0]), crane.m)
