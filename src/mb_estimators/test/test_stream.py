"""From stamped readings to estimates: the same bits for the same readings, come what may."""

from dataclasses import replace
from types import SimpleNamespace

from hypothesis import example, given, settings, strategies as st
import numpy as np
import pytest
from streamed import bits_of, feed, stream_of

from mb_estimators import (
    DivergenceError,
    ImpossibleReadingError,
    make_filter,
    three_simulation,
)
from mb_estimators.nodes.estimator_health import EstimatorHealth
from mb_model import apply_model_errors, load_mechanism
from mb_sensors import sensors_of

DT, STEP, START = 0.005, 5_000_000, 1_000_000_000
ERRORS = {'gravity': -1.0, 'z0': np.pi / 16}
FOUR_BAR = load_mechanism('four_bar')
WRONG = apply_model_errors(FOUR_BAR, ERRORS)
SENSORS = ('crank_encoder', 'coupler_gyro')


def new_stream(names=SENSORS, name='error_ekf', **settings):
    return stream_of(WRONG, names, name, **settings)


def some_readings(count=40, seed=0, names=SENSORS):
    """Return (sensor, stamp, values), both sensors at every stamp, some dropped."""
    random = np.random.default_rng(seed)
    means = {'crank_encoder': 1.05, 'coupler_gyro': 0.0}
    return [(name, START + k * STEP, (means[name] + 0.01 * random.normal(),))
            for k in range(count) for name in names if random.random() < 0.9]


def bits(stream, readings):
    """Return the bytes of all estimates, by stamp."""
    return bits_of(feed(stream, readings))


@pytest.mark.parametrize('name', ['error_ekf', 'dekf'])
def test_the_stream_gives_the_bits_of_the_offline_run(name):
    result = three_simulation(FOUR_BAR, name, SENSORS, ERRORS, 1.0, DT, 5)
    stream = new_stream(name=name, start_time=1.0)
    steps = [step for k, row in enumerate(result.readings)
             for sensor, value in zip(SENSORS, row, strict=True)
             for step in stream.add(sensor, START + k * STEP, (value,))]
    assert len(steps) == len(result.t)
    for field in ('z', 'zd', 'zdd'):
        np.testing.assert_array_equal(
            [getattr(s.estimate, field) for s in steps], getattr(result.observer, field))
    np.testing.assert_array_equal([s.estimate.covariance for s in steps], result.covariance)
    np.testing.assert_array_equal([s.innovation.nis for s in steps], result.nis)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 15), st.integers(0, 15))
def test_arrival_order_within_the_window_does_not_matter(seed, lag_a, lag_b):
    readings = some_readings(seed=seed)
    lags = dict(zip(SENSORS, (lag_a, lag_b), strict=True))
    shuffled = sorted(readings, key=lambda r: (r[1] + lags[r[0]] * STEP, r[0]))
    expected, got = bits(new_stream(), readings), bits(new_stream(), shuffled)
    common = expected.keys() & got.keys()
    assert len(common) > 10
    assert all(expected[stamp] == got[stamp] for stamp in common)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_bad_readings_among_good_ones_change_nothing(seed):
    random = np.random.default_rng(seed)
    good = some_readings(seed=seed)
    mixed = []
    for reading in good:
        sensor, stamp, _ = reading
        mixed.append(reading)
        mixed += [bad for bad in (
            ('crank_encodr', stamp, (1.0,)),
            (sensor, stamp, (float('nan'),)), (sensor, stamp + STEP, (float('inf'),)),
            (sensor, stamp - 2 * STEP, (1.0,)), (sensor, stamp, (1.0,)),
            (sensor, stamp + 3600 * START, (1.0,)), (sensor, stamp, (1.0, 2.0)),
            (sensor, stamp, ()),
        ) if random.random() < 0.3]
    problems = []
    stream = new_stream(problems=problems)
    assert bits(new_stream(), good) == bits(stream, mixed)
    counts = stream.state.counts
    assert counts.rejected + counts.late == len(mixed) - len(good) == len(problems)


@pytest.mark.parametrize(('sensor', 'stamp', 'values', 'text'), [
    ('crank_encoder', START, (float('nan'),), 'crank_encoder: reading is not finite'),
    ('encoder', START + STEP, (1.0,), 'encoder: unknown sensor, expected one of crank_encoder'),
    ('crank_encoder', START, (1.0,), 'crank_encoder: stamp 1.000000 s is not newer'),
    ('crank_encoder', START + STEP, (1.0, 2.0), 'crank_encoder: 2 values in a reading, expected 1'),
    ('crank_encoder', 99 * START, (1.0,), 'crank_encoder: stamp 99.000000 s is implausibly far'),
])
def test_what_is_wrong_is_reported(sensor, stamp, values, text):
    problems = []
    stream = new_stream(['crank_encoder'], problems=problems)
    assert len(stream.add('crank_encoder', START, (1.0,))) == 1
    assert stream.add(sensor, stamp, values) == []
    assert text in problems[0]
    assert stream.state.counts.rejected == 1
    assert len(stream.add('crank_encoder', START + STEP, (1.0,))) == 1


def test_steps_between_readings_are_no_longer_than_dt():
    stream = new_stream(['crank_encoder'])
    stream.add('crank_encoder', START, (1.05,))
    by_stream = stream.add('crank_encoder', START + 7 * STEP // 2, (1.05,))[0].estimate
    filter_ = make_filter('error_ekf', WRONG, ['crank_encoder'], DT)
    filter_.correct(np.array([1.05]))
    for _ in range(4):
        filter_.predict(3.5 * DT / 4)
    filter_.correct(np.array([1.05]))
    np.testing.assert_allclose(by_stream.z, filter_.estimate.z, rtol=1e-14)


def test_the_start_holds_at_the_first_reading_or_when_set():
    reading = ('crank_encoder', START, (1.05,))
    at_rest = new_stream(['crank_encoder']).add(*reading)[0].estimate
    moving = new_stream(['crank_encoder'], start_time=0.5).add(*reading)[0].estimate
    assert at_rest.zd[0] == pytest.approx(0.0, abs=1e-9)
    assert abs(moving.zd[0]) > 0.1


def test_missing_readings_are_counted_by_the_gaps():
    stream = new_stream(['crank_encoder'])
    for k in (0, 1, 2, 5, 6):
        stream.add('crank_encoder', START + k * STEP, (1.05,))
    assert stream.state.missing == 2


def test_a_clock_that_jumps_far_ahead_starts_the_filter_anew():
    problems = []
    stream = new_stream(['crank_encoder'], problems=problems)
    stream.add('crank_encoder', START, (1.05,))
    steps = [step for k in range(12)
             for step in stream.add('crank_encoder', 1000 * START + k * STEP, (1.05,))]
    assert len(steps) == 12
    assert (stream.state.counts.used, stream.state.counts.rejected) == (13, 0)
    assert any('jumped' in problem for problem in problems)


class Diverging:
    """A filter that cannot go on at its sixth prediction, when its first readings are believed."""

    def __init__(self, real):
        self._real, self.starts = real, []
        self._until_lost = 0

    @property
    def state(self):        # since Python 3.12 a Protocol does not see what __getattr__ finds
        return self._real.state

    def __getattr__(self, name):
        return getattr(self._real, name)

    def reset(self, z, zd, covariance=None):
        self._until_lost = 0 if self.starts else 6
        self.starts.append(float(z[0]))
        self._real.reset(z, zd, covariance)

    def predict(self, dt, inputs=None):
        self._until_lost -= 1
        if self._until_lost == 0:
            raise DivergenceError('lost')
        self._real.predict(dt, inputs)


class Counting(Diverging):
    """Counts predictions, and fails where they are more than can be right."""

    def __init__(self, real, most):
        super().__init__(real)
        self.most = most

    def reset(self, z, zd, covariance=None):
        self._real.reset(z, zd, covariance)

    def predict(self, dt, inputs=None):
        self.most -= 1
        assert self.most >= 0
        self._real.predict(dt, inputs)


FAR = 2 ** 31 - 1       # [s]
HOSTILE_STAMPS = st.builds(
    lambda second, part: second * 1_000_000_000 + part,
    st.sampled_from([0, 1, 2, 5, FAR, -1, -2 ** 31]), st.sampled_from([0, 1, 2, 5, STEP, 2 ** 31]))


@settings(max_examples=200, deadline=None)
@given(readings=st.lists(st.tuples(st.sampled_from(SENSORS), HOSTILE_STAMPS), max_size=40),
       history=st.sampled_from([0.0, 0.02]), window=st.sampled_from([0.0, 0.1]))
@example(readings=[(SENSORS[0], FAR * 1_000_000_000), (SENSORS[1], 4_000_000_000),
                   (SENSORS[0], FAR * 1_000_000_000 + STEP)], history=0.0, window=0.0)
def test_no_stamp_lets_the_filter_predict_for_long(readings, history, window):
    """It is not known whether a sensor's first stamp is right: 2 ** 31 s are 4e11 steps."""
    sensors, gap = sensors_of(WRONG, SENSORS), 0.5
    filter_ = Counting(make_filter('error_ekf', WRONG, sensors, DT), 1)    # of the rehearsal
    stream = stream_of(WRONG, sensors, filter_, longest_gap=gap, history_length=history,
                       reorder_window=window)
    filter_.most = len(readings) * round(2.0 * gap / DT)
    for sensor, stamp in readings:
        stream.add(sensor, stamp, (1.0,))
        filter_.most += round(2.0 * gap / DT)
        stream.predicted(stamp)


@pytest.mark.parametrize(('interpolate', 'history'), [(False, 0.0), (False, 0.1), (True, 0.0)])
@pytest.mark.parametrize('liars', [['crank_encoder'], ['coupler_gyro'], ['crank_gyro'],
                                   ['crank_gyro', 'crank_encoder']])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), ahead=st.integers(11, 10 ** 9))
def test_a_lie_in_the_first_stamp_costs_no_sensor(liars, interpolate, history, seed, ahead):
    """Nothing was there to compare it with; the next stamp of its sensor and the others deny it."""
    names, problems = ('crank_gyro', *SENSORS), []
    stream = new_stream(names, problems=problems, history_length=history,
                        interpolate=interpolate)
    rows = np.random.default_rng(seed).normal((0.0, 1.05, 0.0), 0.01, (30, 3))
    good = [(name, START + k * STEP, (value,)) for k, row in enumerate(rows)
            for name, value in zip(names, row, strict=True)]
    good = [reading for reading in good if reading[0] not in liars or reading[1] > START]
    lies = [(name, START + ahead * START, (1.0,)) for name in liars]
    for reading in (*lies, *good):
        stream.add(*reading)
    counts = stream.state.counts
    assert counts.rejected == len(lies)
    assert counts.late <= len(names)        # came before the lie was denied
    assert counts.used + counts.late == len(good)
    assert sum('its first stamp is far ahead' in line for line in problems) == len(lies)
    assert (stream.silent, stream.state.newest, stream.state.missing) == ([], good[-1][1], 0)


class WithoutEstimate(Counting):
    """Has no estimate for the third time that it is asked."""

    asked = 0

    @property
    def estimate(self):
        self.asked += 1
        if self.asked == 3:
            raise DivergenceError('there is no such position')
        return self._real.estimate


@pytest.mark.parametrize('restart', [False, True])
@pytest.mark.parametrize('late', [False, True])
def test_a_filter_without_an_estimate_has_diverged(restart, late):
    problems, names = [], ('crank_encoder', 'coupler_gyro')
    sensors = sensors_of(WRONG, names)
    filter_ = WithoutEstimate(make_filter('dekf', WRONG, sensors, DT), 10 ** 6)
    stream = stream_of(WRONG, sensors, filter_, problems=problems, restart=restart,
                       reorder_window=0.0, history_length=0.05 if late else 0.0)
    count = 0
    for k in range(8):
        for name, value in zip(names[:1 + late], (1.05, 0.0), strict=False):
            stream.add(name, START + k * STEP, (value,))
            count += 1
    assert filter_.asked >= 3
    assert any('there is no such position' in text for text in problems)
    assert bool(stream.state.diverged) != restart
    counts = stream.state.counts
    assert counts.used + counts.rejected + counts.late == count


@pytest.mark.parametrize('restart', [False, True])
def test_divergence_stops_or_restarts_from_the_last_good_estimate(restart):
    problems = []
    sensors = sensors_of(WRONG, ['crank_encoder'])
    filter_ = Diverging(make_filter('dekf', WRONG, sensors, DT))
    stream = stream_of(WRONG, sensors, filter_, problems=problems, restart=restart)
    steps = [step for k in range(11)
             for step in stream.add('crank_encoder', START + k * STEP, (1.05,))]
    assert 'filter has diverged at 1.030000 s: lost' in problems[0]
    assert len(steps) == (10 if restart else 6)
    assert bool(stream.state.diverged) != restart
    if restart:
        assert filter_.starts[-1] == steps[5].estimate.z[0]


def test_readings_that_stay_incredible_are_a_divergence():
    stream = new_stream(['coupler_gyro'], nis_bound=10.0, nis_time=0.05)
    for k in range(400):
        stream.add('coupler_gyro', START + k * STEP, ((-1.0) ** k,))
    assert 'normalized innovation squared above 10 per reading' in stream.state.diverged


@pytest.mark.parametrize('restart', [False, True])
def test_an_estimate_that_no_reading_fits_is_given_up_if_asked(restart):
    """Readings that lead nowhere for long are not to blame: the filter begins again."""
    stream = new_stream(['crank_encoder'], restart=restart, start_time=1.0)
    stream.add('crank_encoder', START, (WRONG.z0[0],))
    filter_, reset, state = stream._run.filter, [], {'lost': True}
    correct = filter_.correct

    def lost(readings):
        if state['lost']:
            raise ImpossibleReadingError('no position fits')
        return correct(readings)

    def begun_again(*initial):
        reset.append(initial)
        state['lost'] = False

    filter_.correct, filter_.reset = lost, begun_again
    steps = [stream.add('crank_encoder', START + k * STEP, (WRONG.z0[0],)) for k in range(1, 15)]
    assert [len(step) for step in steps] == ([0] * 10 + [1] * 4 if restart else [0] * 14)
    assert stream.state.counts.rejected == (10 if restart else 14)
    assert len(reset) == restart
    assert not stream.state.diverged


def test_an_estimate_that_no_reading_fits_is_lost():
    """No estimate comes of impossible readings, so the stream says it, and its health."""
    stream = new_stream(['crank_encoder'], start_time=1.0)
    stream.add('crank_encoder', START, (WRONG.z0[0],))
    correct = stream._run.filter.correct

    def impossible(readings):
        raise ImpossibleReadingError('no position fits')

    stream._run.filter.correct = impossible
    for k in range(1, 6):
        stream.add('crank_encoder', START + k * STEP, (WRONG.z0[0],))
    assert not stream.state.lost
    for k in range(6, 80):
        stream.add('crank_encoder', START + k * STEP, (WRONG.z0[0],))
    assert 'crank_encoder' in stream.state.lost
    assert stream.state.counts.rejected == 79
    setup = SimpleNamespace(
        stream=stream, settings=SimpleNamespace(estimator='error_ekf'), gates={}, undetermined=(),
        sensors=(), window=SimpleNamespace(nis={}, judgement=[]))
    assert EstimatorHealth(setup).look().message.startswith('lost: many readings of crank_encoder')
    stream._run.filter.correct = correct
    for k in range(80, 1200):
        stream.add('crank_encoder', START + k * STEP, (WRONG.z0[0],))
    assert not stream.state.lost


def test_a_sporadic_sensor_says_that_there_is_nothing_to_read():
    """Its instants are complete, nothing is left out, and the estimate is that without it."""
    plain, sporadic = new_stream(), new_stream()
    sensors = [sensor.with_settings(replace(sensor.settings, sporadic=sensor.name == SENSORS[1]))
               for sensor in sensors_of(WRONG, SENSORS)]
    sporadic = stream_of(WRONG, sensors)
    alone = new_stream(SENSORS[:1])
    for k in range(20):
        stamp = START + k * STEP
        for name, value in zip(SENSORS, (1.05, np.nan), strict=True):
            steps = sporadic.add(name, stamp, (value,))
            plain.add(name, stamp, (value,))
        expected, = alone.add(SENSORS[0], stamp, (1.05,))
        step, = steps
        np.testing.assert_array_equal(step.estimate.z, expected.estimate.z)
    assert sporadic.state.counts.rejected == 0
    assert plain.state.counts.rejected == 20
    assert sporadic.silent == []
