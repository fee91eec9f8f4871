"""An estimator's state is one tree: copied, put back and written as a whole, and there is no other.
"""

from collections import Counter
from dataclasses import field
from functools import cached_property

from filter_traits import GRAPHS, HYDRAULIC
import numpy as np
import pytest
from robot_motion import figure_of_eight, ideal_readings
from streamed import stream_of

from mb_estimators import available_filters
from mb_estimators.checkpoint import can_write, read_file, write_file
from mb_estimators.filter import Estimate, Innovation, rebuild
from mb_estimators.state import copied, layout, restore, state_class
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_estimators.stream.reading_order import ReadingOrder
from mb_estimators.watches.gating import GateSettings
from mb_estimators.watches.trust import Trust
from mb_model import load_mechanism
from mb_sensors import sensors_of

MS, START = 1_000_000, 1_000_000_000
FIELDS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance')
# Records that filters write to, but never read from before they have written to them
SCRATCH = {'_works', '_filters', '_reported', '_kinematics', '_exponentials'}
FOUR_BAR = ('four_bar', ('crank_encoder', 'coupler_gyro'))
CASES = [*((name, *FOUR_BAR) for name in available_filters(load_mechanism('four_bar'))
           if name not in GRAPHS),      # its graph begins anew
         *((name, 'crane', ('cylinder_encoder', 'pressure1', 'pressure2'))
           for name in HYDRAULIC),
         ('platform_ekf', 'three_rrr', ('drive_encoders', 'imu'))]
WAITING = {'reorder_window': 0.02, 'stuck_after': 4, 'restart': True}
REPLAYING = {'reorder_window': 0.0, 'stuck_after': 4, 'history_length': 0.03}
LINES = {'reorder_window': 0.02, 'interpolate': True}


@state_class
class Inner:
    array: np.ndarray
    names: dict[str, int] = field(default_factory=dict)


@state_class
class Outer:
    inner: Inner
    records: np.ndarray
    row: list[Inner] = field(default_factory=list)
    counted: Counter = field(default_factory=Counter)
    number: float | None = None


def outer(k):
    records = np.zeros(1, [('a', float, 2), ('b', np.int64)])
    records['a'], records['b'] = 0.1 * k, k
    return Outer(Inner(np.arange(3.0) + k, {'x': k, 'y': 1}), records, [Inner(np.ones(k))],
                 Counter('ab' * k), 0.1 + k)


def test_a_copy_shares_nothing_and_is_put_back_in_place():
    state = outer(2)
    saved, layout_before = copied(state), layout(state)
    views = state.inner, state.inner.array, state.records['a']
    other = outer(3)
    restore(state, copied(other))
    assert (state.inner, state.inner.array) == (views[0], pytest.approx([3.0, 4.0, 5.0]))
    assert views[1] is state.inner.array
    np.testing.assert_array_equal(views[2], other.records['a'])
    assert state.row[0].array.shape == (3,)
    assert state.row[0].array is not other.row[0].array
    restore(state, saved)
    expected = outer(2)
    for one in (state, saved):
        np.testing.assert_array_equal(one.inner.array, expected.inner.array)
        assert (one.inner.names, one.counted, one.number) == ({'x': 2, 'y': 1}, Counter(a=2, b=2),
                                                              2.1)
    np.testing.assert_array_equal(state.records, expected.records)
    assert layout(state) == layout_before


def test_dicts_come_back_in_their_order():
    state = Inner(np.zeros(1), {'x': 1, 'y': 2})
    saved = copied(state)
    state.names = {'y': 3, 'x': 4}
    restore(state, saved)
    assert list(state.names.items()) == [('x', 1), ('y', 2)]


@pytest.mark.parametrize('saved', [None, Inner(np.zeros(3)), outer(2).records])
def test_what_is_no_copy_of_it_is_refused(saved):
    with pytest.raises(TypeError, match='a state of Outer cannot be restored'):
        restore(outer(2), saved)
    with pytest.raises(TypeError, match='cannot be put back into'):
        restore(Inner(np.zeros(3)), Inner(np.zeros(2)))


def test_states_come_back_from_files(tmp_path):
    state = outer(2)
    write_file(tmp_path / 'file', copied(state))
    found = read_file(tmp_path / 'file')
    other = outer(3)
    restore(other, found)
    np.testing.assert_array_equal(other.records, state.records)
    np.testing.assert_array_equal(other.row[0].array, state.row[0].array)
    assert (other.inner.names, other.counted) == (state.inner.names, state.counted)
    assert can_write(state)
    assert not can_write({'object': object()})


def new_stream(name, mechanism, names, values, problems=None):
    mechanism = load_mechanism(mechanism)
    sensors = sensors_of(mechanism, names)
    gates = {} if 'interpolate' in values else {sensors[0].name: GateSettings('reject')}
    return stream_of(mechanism, sensors, name, problems=problems, gates=gates, filter_dt=2e-3,
                     **{'dt': 2e-3} | values)


def arrivals(mechanism, names, seed, count=60):
    """Return (sensor, stamp, values) with noise: some wild, stuck, late, missing, twice, far ahead.
    """
    mechanism, random = load_mechanism(mechanism), np.random.default_rng(seed)
    sensors = sensors_of(mechanism, names)
    found = []
    for sensor in sensors:
        if mechanism.name == 'three_rrr':
            exact = ideal_readings(mechanism, [sensor], *figure_of_eight(np.arange(count) * 2e-3))
        elif sensor.volume:
            exact = np.full((count, 1), mechanism.circuit.p0[
                mechanism.circuit.volumes.index(sensor.volume)])
        else:
            zero = np.zeros((1, mechanism.g))
            exact = np.repeat(ideal_readings(mechanism, [sensor], mechanism.z0[np.newaxis], zero,
                                             zero), count, axis=0)
        rows = exact + sensor.settings.sigma * random.normal(size=exact.shape)
        for k, row in enumerate(rows):
            stamp, late = START + 2 * k * MS, random.integers(0, 4) * (random.random() < 0.3)
            chance = random.random()
            if chance < 0.05:
                row = row + 50.0
            elif chance < 0.1:
                stamp += 10 ** 12
            elif 25 < k < 33:
                row = rows[25]
            if chance < 0.95:
                found += [(k + late, sensor.name, stamp, tuple(row))] * (1 + (chance > 0.9))
    return [reading for _, *reading in sorted(found, key=lambda one: one[0])]


def run(stream, readings):
    """Return the bits and words of all Steps, and of predictions between them."""
    found = []
    for k, reading in enumerate(readings):
        for step in stream.add(*reading):
            found.append((step.stamp, step.distrust, step.lost, step.late and step.late[0][:2],
                          b''.join(getattr(step.estimate, name).tobytes() for name in FIELDS),
                          *(np.asarray(part).tobytes() for part in step.innovation)))
        if k % 7 == 0 and stream.state.newest:
            ahead = stream.predicted(stream.state.newest + 3 * MS)
            found.append(ahead and ahead.covariance.tobytes())
    state = stream.state
    return found, state.counts, state.incredible, state.missing, stream.silent, state.lost


@pytest.mark.parametrize(('name', 'mechanism', 'names', 'values'), [
    *((*case, values) for case in CASES for values in (WAITING, REPLAYING)),
    ('error_ekf', *FOUR_BAR, LINES)])
def test_another_stream_goes_on_from_a_copy_to_the_same_bits(name, mechanism, names, values):
    """Whatever it has been through itself: so nothing that matters is kept elsewhere."""
    readings = arrivals(mechanism, names, 1)
    half = len(readings) // 2
    one, other = (new_stream(name, mechanism, names, values) for _ in range(2))
    run(one, readings[:half])
    run(other, arrivals(mechanism, names, 2)[:half + 9])
    known = other._run.channels.slices
    other.enable(names[-1] if names[-1] in known else next(iter(known)), False)
    saved = copied(one.state)
    expected = run(one, readings[half:])
    for stream in (other, one):
        restore(stream.state, saved)
        rebuild(stream._run.filter)
        found = run(stream, readings[half:])
        assert found[1:] == expected[1:]
        assert found[0] == expected[0]


def unchanging(stream):
    """Return all that a stream, what it is made of, and its filter keep beside the state."""
    found, seen, filter_ = {}, {id(stream.state)}, stream._run.filter
    scratch = SCRATCH & set(vars(filter_))
    arrays = [*filter_.state.values(), *(vars(filter_)[name] for name in scratch)]

    def visit(path, value):
        if id(value) in seen:
            return
        if isinstance(value, np.ndarray):
            if not any(np.shares_memory(value, array) for array in arrays):
                found[path] = value.tobytes()
        elif isinstance(value, (dict, list, tuple, set)):
            seen.add(id(value))
            items = value.items() if isinstance(value, dict) else enumerate(value)
            found[path] = str(list(value)) if isinstance(value, dict) else len(value)
            for key, item in items:
                visit(f'{path}[{key}]', item)
        elif type(value).__module__.startswith('mb_estimators.') and hasattr(value, '__dict__'):
            seen.add(id(value))
            for key, item in vars(value).items():
                if isinstance(getattr(type(value), key, None), cached_property):
                    continue        # a view
                visit(f'{path}.{key}', item)
        else:
            found[path] = repr(value) if isinstance(value, (int, float, str)) else id(value)

    visit('stream', stream)
    return {path: value for path, value in found.items()
            if path != 'stream._run._row'}      # written anew at each instant


@pytest.mark.parametrize(('name', 'mechanism', 'names', 'values'), [
    *((*case, REPLAYING) for case in CASES), ('error_ekf', *FOUR_BAR, WAITING),
    ('error_ekf', *FOUR_BAR, LINES)])
def test_nothing_but_the_state_changes(name, mechanism, names, values):
    stream = new_stream(name, mechanism, names, values)
    before = unchanging(stream)
    assert 'stream._run._watches._trust._hold' in before
    run(stream, arrivals(mechanism, names, 3))
    sensor = next(iter(stream._run.channels.slices))
    stream.enable(sensor, False)
    stream.enable(sensor, True)
    stream.reset()
    run(stream, arrivals(mechanism, names, 4))
    after = unchanging(stream)
    assert {path for path in before | after if before.get(path) != after.get(path)} == set()


@pytest.mark.parametrize(('owner', 'method'), [(ReadingOrder, 'add'), (Trust, 'problem')])
def test_an_attribute_that_changes_is_noticed(owner, method, monkeypatch):
    real = getattr(owner, method)

    def counting(self, *arguments):
        self.calls = getattr(self, 'calls', 0) + 1
        return real(self, *arguments)

    stream = new_stream('error_ekf', *FOUR_BAR, WAITING)
    before = unchanging(stream)
    monkeypatch.setattr(owner, method, counting)
    run(stream, arrivals(*FOUR_BAR, 5, 10))
    after = unchanging(stream)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert {path.rpartition('.')[2] for path in changed} == {'calls'}


@state_class
class Walk:
    """State of a filter that is no class of ours."""

    z: float = 0.0
    moved: int = 0


class Own:
    """The mean of prediction and reading, with what filters of other packages must have."""

    def __init__(self):
        self.state = Walk()

    def reset(self, z, zd, covariance=None):
        self.state.z, self.state.moved = float(z[0]), 0

    def predict(self, dt, inputs=None):
        self.state.z, self.state.moved = 1.01 * self.state.z, self.state.moved + 1

    def correct(self, readings):
        residual = readings - self.state.z
        self.state.z += 0.5 * residual[0]
        return Innovation(np.arange(1), residual, np.eye(1), 0.0, np.empty(0, int))

    @property
    def estimate(self):
        z = np.array([self.state.z])
        return Estimate(z, z, z, z, z, z, np.eye(2))


def test_a_filter_of_another_package_needs_a_state_alone():
    """A late reading, and a prediction of the present: the end is as with readings in order."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    readings = [(START + 5 * k * MS, [0.1 * k]) for k in range(8)]
    ends = []
    for order in (readings, readings[:3] + readings[4:] + readings[3:4]):
        stream = EstimateStream(Own(), sensors, (mechanism.z0, mechanism.zd0),
                                StreamSettings(history_length=0.1, reorder_window=0.0))
        for stamp, values in order:
            stream.add('crank_encoder', stamp, values)
            before = stream.state.run.filter.z
            assert stream.predicted(stream.state.newest + 50 * MS).z[0] != before
            assert stream.state.run.filter.z == before
        ends.append((stream.state.run.filter.z, stream.state.run.filter.moved))
        assert can_write(stream.state.run.filter)
    assert ends[0] == ends[1]
    assert ends[0][1] == 7
