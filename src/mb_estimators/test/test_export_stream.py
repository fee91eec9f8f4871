"""The stream of readings in C: the decisions and bits of EstimateStream, whatever comes."""

import ctypes
from importlib import resources
from random import Random
import shutil
import subprocess

from free_motion import FLYWHEEL
from hypothesis import given, settings, strategies as st
import pytest
from streamed import stream_of

from mb_estimators import make_filter
from mb_estimators.consistency.normalized import chi_square_bound
from mb_estimators.native.folder import export
from mb_estimators.watches.gating import GateSettings
from mb_model.jit import Target
from mb_sensors import sensors_of

MS = 1_000_000
BEGIN = 5_000 * MS
DT = 4e-3
RATES = 100.0, 40.0
AT_REST = FLYWHEEL.replace(
    start_velocity={'theta': 0.0},
    sensors={name: {'rate': rate} for name, rate in zip(('encoder', 'gyro'), RATES, strict=True)})
SENSORS = ['encoder', 'gyro']
READ = 0.3, 0.0             # at rest, by sensor
COUNTS = 'used', 'rejected', 'late', 'missing'
CALLED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
DOUBLE = ctypes.POINTER(ctypes.c_double)


class Settings(ctypes.Structure):
    _fields_ = [*((name, ctypes.c_double) for name in (
        'dt', 'reorder_window', 'history_length', 'longest_gap', 'sensor_timeout', 'start_time',
        'nis_bound', 'nis_time')), *((name, ctypes.c_int) for name in (
            'leave_out_repeats', 'first_reading', 'waits_for_inputs')), ('gates', DOUBLE),
        ('instants', ctypes.c_int), ('estimated', CALLED), ('user', ctypes.c_void_p)]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in (*COUNTS, 'crowded', 'begun')]


def compiled(folder, machine, sensors):
    """Return the exported filter with the stream around it, as a shared library."""
    if not shutil.which('cc'):
        pytest.skip('no compiler of C')
    export(make_filter('error_ekf', machine, sensors_of(machine, sensors), DT), 'error_ekf', folder,
           Target.here())
    shared = folder / 'wheel.so'
    subprocess.run(
        ['cc', '-shared', '-fPIC', '-std=c11', '-Wall', '-Wextra', '-Werror', '-O2', '-o', shared,
         *folder.glob('*stream*.c'), folder / 'wheel.c', folder / 'wheel_plugin.c',
         folder / 'wheel_kernels.o', '-lm'], check=True)
    loaded = ctypes.CDLL(str(shared))
    loaded.mb_estimator.restype = ctypes.c_void_p
    loaded.mb_stream_defaults.restype = Settings
    loaded.mb_stream_create.restype = ctypes.c_void_p
    loaded.mb_stream_estimator.restype = ctypes.c_void_p
    loaded.mb_stream_counted.restype = Counts
    loaded.wheel_z.restype = loaded.wheel_zd.restype = loaded.wheel_zdd.restype = DOUBLE
    return loaded


@pytest.fixture(scope='module')
def library(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp('exported') / 'wheel', AT_REST, SENSORS)


class InC:
    """A stream in C; steps: (stamp, z, zd, zdd) of its estimates."""

    def __init__(self, library, **given):
        self.code, self.steps = library, []
        api = ctypes.c_void_p(library.mb_estimator())
        own = library.mb_stream_defaults(api)
        self._called = own.estimated = CALLED(self._on_estimate)
        for name, value in given.items():
            setattr(own, name, value)
        self._stream = ctypes.c_void_p(library.mb_stream_create(api, ctypes.byref(own)))
        assert self._stream

    def _on_estimate(self, _user, stamp):
        estimator = ctypes.c_void_p(self.code.mb_stream_estimator(self._stream))
        self.steps.append((stamp, *(read(estimator)[0] for read in (
            self.code.wheel_z, self.code.wheel_zd, self.code.wheel_zdd))))

    def add(self, sensor, stamp, *values):
        numbers = (ctypes.c_double * len(values))(*values)
        if sensor is None:
            self.code.mb_stream_add_inputs(self._stream, ctypes.c_int64(stamp), numbers)
        else:
            number = SENSORS.index(sensor) if isinstance(sensor, str) else sensor
            self.code.mb_stream_add(self._stream, number, ctypes.c_int64(stamp), numbers)

    def add_all(self, stamp, readings):
        sensors = (ctypes.c_int * len(readings))(*(SENSORS.index(name) for name, _ in readings))
        rows = [(ctypes.c_double * 1)(value) for _, value in readings]
        self.code.mb_stream_add_all(
            self._stream, ctypes.c_int64(stamp), len(readings), sensors,
            (DOUBLE * len(rows))(*(ctypes.cast(row, DOUBLE) for row in rows)))

    def predict(self, stamp):
        return self.code.mb_stream_predict(self._stream, ctypes.c_int64(stamp))

    @property
    def counts(self):
        return self.code.mb_stream_counted(self._stream)

    def close(self):
        self.code.mb_stream_destroy(self._stream)


def messages(items, together):
    """Return (stamp, [(sensor, value)]) of items, sensors of a stamp in one message if together."""
    grouped = []
    for sensor, stamp, value in items:
        if together and grouped and grouped[-1][0] == stamp and sensor and grouped[-1][1][0][0]:
            grouped[-1][1].append((sensor, value))
        else:
            grouped.append((stamp, [(sensor, value)]))
    return grouped


def in_python(given_messages, **given):
    """Return the stream, and (stamp, z, zd, zdd) of the Steps of messages; no sensor: inputs."""
    stream = stream_of(AT_REST, SENSORS, dt=DT, **given)
    steps = []
    for stamp, readings in given_messages:
        steps += (stream.add_all(stamp, [(name, [value]) for name, value in readings])
                  if readings[0][0] else stream.add_input(stamp, [readings[0][1]]))
    return stream, [(step.stamp, *(float(part[0]) for part in step.estimate[:3]))
                    for step in steps]


def counts_of(stream):
    counts = stream.state.counts
    return counts.used, counts.rejected, counts.late, stream.state.missing


def arrivals(random, lag, length, dropped):
    """Return (sensor, stamp, value) of both sensors and inputs in some order of arrival."""
    items = []
    for sensor, rate, value, sigma in zip(SENSORS, RATES, READ, (0.02, 0.05), strict=True):
        step = round(1000 / rate)
        items += [(sensor, BEGIN + k * MS, random.gauss(value, sigma))
                  for k in range(0, length, step) if random.random() > dropped]
    items += [(None, BEGIN + k * MS, random.gauss(0.0, 0.05)) for k in range(0, length, 30)]
    return sorted(items, key=lambda item: (item[1] + random.randint(0, lag) * MS, random.random()))


def spoiled(random, items, share):
    """Return items among which some come twice, from nowhere, or are no numbers.

    A stretch may be missing, and a sensor's first stamp be a lie.
    """
    if random.random() < 10 * share:
        items = [item for item in items if not 120 * MS < item[1] - BEGIN < 300 * MS]
    result = [(random.choice(SENSORS), BEGIN + random.choice([400_000, 15_000]) * MS, 0.0)
              ] if random.random() < 10 * share else []
    for sensor, stamp, value in items:
        result.append((sensor, stamp, value))
        if random.random() < share:
            result.append(random.choice([
                (sensor, stamp, value), (sensor, stamp, float('nan')),
                (sensor, stamp + 400_000 * MS, value), (sensor, stamp + 250 * MS, value),
                (sensor, stamp + 25_000 * MS, value), (sensor, stamp, value + 40.0),
                (sensor, max(0, stamp - 4_000 * MS), value)]))
    return [item for item in result if item[0] or item[2] == item[2]]


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 2 ** 32 - 1), lag=st.sampled_from([0, 15, 60, 150]),
       window=st.sampled_from([0.0, 0.05, 1.0]), history=st.sampled_from([0.0, 0.1, 0.5]),
       spoil=st.sampled_from([0.0, 0.05]), jump=st.booleans(), waits=st.booleans(),
       first=st.booleans(), together=st.booleans(), gated=st.lists(st.sampled_from(SENSORS)),
       wrong=st.sampled_from([0, 1, 3, 8]), frozen=st.sampled_from(['', *SENSORS]),
       start=st.sampled_from([0.0, 5.0, 4.97, 0.5]))
def test_it_decides_as_python_does_to_the_bit(library, seed, lag, window, history, spoil, jump,
                                              waits, first, together, gated, wrong, frozen, start):
    random = Random(seed)     # its noise stays noise
    items = spoiled(random, arrivals(random, lag, 400, 0.1), spoil)
    off = random.uniform(-5.0, 5.0)     # the first readings are denied, or all later ones are odd
    items = [(sensor, stamp, value + off if sensor and stamp < BEGIN + 10 * wrong * MS else value)
             for sensor, stamp, value in items]
    if frozen:
        kept = random.gauss(READ[SENSORS.index(frozen)], 0.02)
        items = [(sensor, stamp, kept if sensor == frozen and stamp > BEGIN + 200 * MS else value)
                 for sensor, stamp, value in items]
    if jump:        # a bag that is played again, from before or long after
        off = random.choice([-4_000, 90_000]) * MS
        items += [(sensor, stamp + off, value)
                  for sensor, stamp, value in arrivals(random, lag, 300, 0.1)]
    given = {'reorder_window': window, 'history_length': history, 'first_reading': first,
             'start_time': start}
    sent = messages(items, together)
    stream, expected = in_python(sent, input_rate=30.0 if waits else 0.0, gates={
        name: GateSettings(gate='reject', gate_probability=0.9) for name in gated}, **given)
    own = InC(library, waits_for_inputs=waits, gates=(ctypes.c_double * 2)(*(
        chi_square_bound(1, 0.1) if name in gated else 0.0 for name in SENSORS)), **given)
    try:
        for stamp, readings in sent:
            if readings[0][0]:
                own.add_all(stamp, readings)
            else:
                own.add(None, stamp, readings[0][1])
        assert own.steps == expected
        assert tuple(getattr(own.counts, name) for name in COUNTS) == counts_of(stream)
        assert own.counts.crowded == 0
        now = stream.state.run.now
        ahead = None if now is None else stream.predicted(now + 13 * MS)
        assert bool(own.predict((now or 0) + 13 * MS)) == (ahead is not None)
        if ahead is not None:
            assert own.steps[-1][1:] == tuple(float(part[0]) for part in ahead[:3])
    finally:
        own.close()


def test_a_frozen_sensor_is_left_out_among_many_of_a_topic(tmp_path):
    """Each sends messages of its own: there are as many sets of sensors, and more by chance."""
    names = [f'encoder_{k}' for k in range(10)]
    machine = AT_REST.replace(sensors={name: {
        'kind': 'angle_encoder', 'body': 'wheel', 'sigma': 0.02, 'rate': 100.0, 'topic': 'joints'}
        for name in names})
    library = compiled(tmp_path / 'wheel', machine, names)
    for frozen in (0, 9):
        random, own = Random(3), InC(library)
        stream = stream_of(machine, names, dt=DT)
        for k in range(600):
            stamp, sensor = BEGIN + k * MS - k % 10 // 8 * MS, k % 10
            value = 0.31 if sensor == frozen and k > 200 else random.gauss(0.3, 0.02)
            stream.add(names[sensor], stamp, [value])
            own.add(sensor, stamp, value)
        assert (own.counts.used, own.counts.rejected) == counts_of(stream)[:2]
        assert own.counts.rejected > 30
        own.close()


def test_a_full_memory_takes_the_oldest_early_and_says_so(library):
    """Nothing that was accepted is lost, and it is a function of the readings still."""
    own = InC(library, reorder_window=5.0, instants=8)
    for k in range(100):
        own.add('encoder', BEGIN + 10 * k * MS, 0.3)
    assert len(own.steps) >= 90
    assert own.counts.crowded == len(own.steps)
    assert own.counts.used == len(own.steps)
    own.close()


def test_a_filter_that_readings_contradict_for_long_has_ended_until_it_is_reset(library):
    own = InC(library, reorder_window=0.0, nis_bound=5.0, nis_time=0.05)
    for k in range(60):
        own.add('encoder', BEGIN + 10 * k * MS, 0.3 if k < 20 else 0.3 + (-1) ** k)
    before = len(own.steps)
    own.add('encoder', BEGIN + 600 * MS, 0.3)
    assert before < 60
    assert len(own.steps) == before
    own.code.mb_stream_reset(own._stream)
    own.add('encoder', BEGIN + 610 * MS, 0.3)
    assert len(own.steps) == before + 1
    own.close()


def test_every_file_of_it_comes_with_the_folder():
    files = resources.files('mb_estimators.native') / 'c'
    assert {one.name for one in files.iterdir() if 'stream' in one.name} == {
        'mb_stream.c', 'mb_stream.h', 'mb_stream_gates.c', 'mb_stream_inputs.c',
        'mb_stream_instants.c', 'mb_stream_opening.c', 'mb_stream_order.c', 'mb_stream_parts.h',
        'mb_stream_repeats.c', 'mb_stream_run.c'}
