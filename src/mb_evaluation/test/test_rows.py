"""Rows are what a list of the same rows is, in less memory."""

from hypothesis import given, strategies as st
import numpy as np

from mb_evaluation.accuracy.rows import Rows
from mb_evaluation.accuracy.track import Track

SHAPES = st.sampled_from(((), (2,), (2, 3), (0, 0), None))


@st.composite
def rows(draw):
    """Return rows with a few runs of forms."""
    several = []
    for form in draw(st.lists(st.tuples(SHAPES, SHAPES), max_size=4)):
        for _ in range(draw(st.integers(1, 3))):
            several.append((draw(st.integers(-2 ** 63, 2 ** 63 - 1)), *(
                None if shape is None else np.random.default_rng(len(several)).normal(size=shape)
                for shape in form)))
    return several


def assert_same(ours, theirs):
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one[0] == other[0]
        for a, b in zip(one[1:], other[1:], strict=True):
            np.testing.assert_array_equal(a, b)
            assert (a is None) == (b is None)


@given(rows())
def test_iterates_and_indexes_as_a_list(several):
    packed = Rows(several)
    assert_same(list(packed), several)
    assert_same(packed[-2:], several[-2:])
    assert_same([packed[k] for k in range(-len(several), len(several))], [*several, *several])
    assert packed.stamps.tolist() == [row[0] for row in several]
    parts = [one for part in packed.column(0) for one in part]
    for part, row in zip(parts, several, strict=True):
        np.testing.assert_array_equal(part, [] if row[1] is None else row[1])


def test_a_row_that_was_given_stays_as_it_was():
    numbers = np.ones(2)
    packed = Rows([(1, numbers)])
    numbers[:] = 5.0
    packed[0][1][:] = 7.0
    packed.column(0)[0][:] = 9.0
    packed.append((2, numbers))
    assert packed[0][1].tolist() == [1.0, 1.0]


def test_a_track_takes_the_last_row_of_a_stamp_and_the_states_that_all_estimate():
    def row(stamp, z, states):
        return stamp, [z], [0.0], [0.0], z * np.eye(states)
    track = Track([row(30, 1.0, 3), row(10, 2.0, 2), row(30, 3.0, 3), row(20, 4.0, 3)])
    assert track.stamps.tolist() == [10, 20, 30]
    assert track.z[:, 0].tolist() == [2.0, 4.0, 3.0]
    assert track.covariance[:, 1, 1].tolist() == [2.0, 4.0, 3.0]
    assert track.covariance.shape == (3, 2, 2)


def test_a_row_takes_little_memory():
    """A state of one degree of freedom has 8 numbers: as objects it took 900 bytes."""
    import tracemalloc
    tracemalloc.start()
    packed = Rows((k, np.ones(1), np.ones(1), np.ones(1), np.eye(2)) for k in range(20_000))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(packed) == 20_000
    assert size < 20_000 * 80
