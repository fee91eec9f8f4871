"""What users ask of a running stream: sensors on and off, states, tuning, the present."""

from dataclasses import replace

from filter_traits import GRAPHS
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from streamed import bits, bits_of, feed, stream_of

from mb_estimators import FilterError, available_filters, make_filter, three_simulation
from mb_estimators.estimator_tuning import retuned
from mb_estimators.stream import StreamSettings
from mb_model import SettingError, load_mechanism

DT, STEP, START = 0.005, 5_000_000, 1_000_000_000
FOUR_BAR = load_mechanism('four_bar')
SENSORS = ('crank_encoder', 'coupler_gyro')
FILTERS = available_filters(FOUR_BAR)
READINGS = [
    (sensor, START + k * STEP, (value,))
    for k, row in enumerate(three_simulation(
        FOUR_BAR, 'error_ekf', SENSORS, {'gravity': -1.0}, 0.3, DT, 1).readings.tolist())
    for sensor, value in zip(SENSORS, row, strict=True)]


def new_stream(name='error_ekf', **settings):
    return stream_of(FOUR_BAR, SENSORS, name, **settings)


@pytest.mark.parametrize('history', [0.0, 0.05])
def test_a_sensor_that_is_off_is_ignored_and_not_waited_for(history):
    stream = new_stream(history_length=history)
    steps = feed(stream, READINGS[:20])
    assert stream.enable('coupler_gyro', on=False) == []
    off = feed(stream, READINGS[20:60])
    assert [step.stamp for step in off] == [r[1] for r in READINGS[20:60:2]]      # at once
    assert stream.state.counts.ignored == 20
    assert all(step.distrust == '' for step in off)
    assert stream.silent == []
    stream.add('coupler_gyro', START + 3 * STEP + 1, (0.0,))        # of before, and late
    assert stream.state.counts.ignored == 21
    assert stream.enable('coupler_gyro', on=True) == []
    steps += off + feed(stream, READINGS[60:])
    gone = {r[1] for r in READINGS[20:60]}
    without = [r for r in READINGS if r[0] != 'coupler_gyro' or r[1] not in gone]
    assert bits_of(steps) == bits_of(feed(new_stream(history_length=history), without))
    assert stream.state.missing == 0


def test_switching_a_sensor_off_completes_what_waits_for_it():
    stream = new_stream()
    waiting = [reading for reading in READINGS[:20] if reading[0] == 'crank_encoder']
    assert feed(stream, waiting) == []
    assert len(stream.enable('coupler_gyro', on=False)) == 10
    with pytest.raises(ValueError, match='coupler_gyr: unknown sensor, expected one of crank_enc'):
        stream.enable('coupler_gyr', on=False)


@pytest.mark.parametrize('name', FILTERS)
def test_a_state_that_is_set_is_a_start_there(name):
    z, zd = FOUR_BAR.z0 + 0.2, FOUR_BAR.zd0 + 0.1
    stream = new_stream(name)
    feed(stream, READINGS[:20])
    assert stream.set_state(z, zd) == []
    expected = feed(new_stream(name, initial=(z, zd)), READINGS[20:50])
    assert bits_of(feed(stream, READINGS[20:50])) == bits_of(expected)
    stream.reset()
    later = [(sensor, stamp + 3600 * START, values) for sensor, stamp, values in READINGS[:30]]
    found = [bits(step.estimate) for step in feed(stream, later)]
    again = [bits(step.estimate) for step in feed(new_stream(name), READINGS[:30])]
    assert found == again


@pytest.mark.parametrize('stamp', [START + 20 * STEP, START + 20 * STEP + 1234])
def test_a_state_of_the_past_is_set_as_if_it_had_come_in_time(stamp):
    state = FOUR_BAR.z0 + 0.2, FOUR_BAR.zd0, np.array([[0.02, 0.001], [0.001, 0.03]])
    in_time, late = new_stream(history_length=0.1), new_stream(history_length=0.1)
    feed(in_time, READINGS[:40])
    in_time.set_state(*state, stamp)
    expected = bits_of(feed(in_time, READINGS[40:]))
    feed(late, READINGS[:60])
    newest, = late.set_state(*state, stamp)
    found = bits_of([newest]) | bits_of(feed(late, READINGS[60:]))
    assert newest.stamp == READINGS[59][1]
    assert found == {stamp: expected[stamp] for stamp in found}


def test_states_that_cannot_be_are_refused_and_change_nothing():
    stream = new_stream()
    steps = feed(stream, READINGS[:40])
    good = FOUR_BAR.z0, FOUR_BAR.zd0
    for state, text in (
            ((FOUR_BAR.z0, [0.0, 1.0]), 'zd: 2 values, expected 1'),
            (([np.nan], FOUR_BAR.zd0), 'z: nan must be finite'),
            ((*good, np.eye(3)), r'covariance: shape \(3, 3\) must be \(2, 2\)'),
            ((*good, -np.eye(2)), 'covariance: must be positive definite'),
            ((*good, None, START), 'stamp: 1.000000 s is before the present estimate'),
            ((*good, None, 99 * START), 'stamp: 99.000000 s is implausibly far ahead')):
        with pytest.raises(ValueError, match=text):
            stream.set_state(*state)
    assert bits_of(steps + feed(stream, READINGS[40:])) == bits_of(feed(new_stream(), READINGS))


def tuned_settings(filter_):
    """Return a filter's settings with all numbers changed that may change."""
    return replace(filter_.settings, **{
        name: getattr(filter_.settings, name) * 0.9
        for name, kind, _ in filter_.settings.describe() if kind is float})


def worse_sensors(filter_):
    return [sensor.with_settings(replace(sensor.settings, sigma=2.0 * sensor.settings.sigma))
            for sensor in filter_.sensors]


@pytest.mark.parametrize('name', FILTERS)
def test_tuned_before_it_begins_it_is_one_with_that_tuning(name):
    begun = make_filter(name, FOUR_BAR, SENSORS, DT)
    settings_, sensors = tuned_settings(begun), worse_sensors(begun)
    expected = type(begun)(load_mechanism('four_bar'), sensors, DT, settings_)
    found = retuned(begun, sensors, settings_)
    for k in range(6):
        fits = []
        for filter_ in (found, expected):
            if k:
                filter_.predict(DT)
            fits.append(filter_.correct(np.array([1.06, 0.02])))
        assert fits[0].nis == fits[1].nis
        assert bits(found.estimate) == bits(expected.estimate)


@pytest.mark.parametrize('name', FILTERS)
def test_tuned_while_it_runs_it_keeps_its_state(name):
    stream, other = new_stream(name), new_stream(name)
    feed(stream, READINGS[:60])
    feed(other, READINGS[:60])
    running = stream._run.filter
    before = running.estimate
    same = retuned(running, running.sensors, running.settings)
    for field, value in before._asdict().items():
        np.testing.assert_equal(getattr(same.estimate, field), value)
    stream.retune(same, running.sensors, StreamSettings(), {})
    if name not in GRAPHS:        # forgets the moments before
        assert bits_of(feed(stream, READINGS[60:80])) == bits_of(feed(other, READINGS[60:80]))
    worse = retuned(running, worse_sensors(running), tuned_settings(running))
    stream.retune(worse, worse.sensors, StreamSettings(reorder_window=0.5), {})
    steps = feed(stream, READINGS[80:])
    assert len(steps) == len(READINGS[80:]) // 2
    for step in steps:
        assert np.isfinite(step.estimate.covariance).all()


def test_what_cannot_be_tuned_while_it_runs_is_reported():
    filter_ = make_filter('kinematic_kf', FOUR_BAR, SENSORS, DT)
    model = replace(filter_.settings, acceleration_model='jerk')
    assert model != filter_.settings
    with pytest.raises(SettingError, match='acceleration_model: cannot change while'):
        retuned(filter_, filter_.sensors, model)
    biased = [s.with_settings(replace(s.settings, bias_sigma=0.1)) for s in filter_.sensors]
    with pytest.raises(SettingError, match='crank_encoder: whether a bias'):
        retuned(filter_, biased, filter_.settings)
    with pytest.raises(FilterError, match='object cannot be tuned while it runs'):
        retuned(object(), (), None)


@pytest.mark.parametrize(('values', 'gap'), [
    ({'reorder_window': 0.1}, 0), ({'reorder_window': 0.0, 'history_length': 0.02}, 0),
    ({'start_time': 0.5, 'reorder_window': 0.1}, 0), ({'reorder_window': 0.1}, 3600 * START)])
def test_a_bag_that_is_played_again_gives_the_same_bits_again(values, gap):
    """With forces as inputs; at once where the clock shows it, else once the stamps do; to and fro.

    gap: how much later the stamps of the second pass are.
    """
    problems = []
    stream = new_stream(problems=problems, **values)

    def play(shift):
        steps = []
        for k, (sensor, stamp, reading) in enumerate(READINGS):
            if k % 8 == 0:
                steps += stream.add_input(stamp + shift, [0.3 * (-1) ** (k // 8)])
            steps += stream.add(sensor, stamp + shift, reading)
        return [(step.stamp - shift, bits(step.estimate)) for step in steps]

    first = play(0)
    assert len(dict(first)) == len(READINGS) // 2
    second = play(gap)
    if not values.get('start_time') or not gap:
        assert second == first
    assert play(0) == first
    assert sum('jumped' in problem for problem in problems) == 2
    counts = stream.state.counts
    assert (counts.used, counts.rejected, counts.late) == (3 * len(READINGS), 0, 0)
    stream.begin_again()
    assert play(0) == first


@pytest.mark.parametrize('name', FILTERS)
def test_predicting_the_present_leaves_everything_as_it_is(name):
    stream, plain = new_stream(name, sensor_timeout=0.1), make_filter(name, FOUR_BAR, SENSORS, DT)
    assert stream.predicted(START) is None
    found = []
    for k in range(20):
        if k:
            plain.predict(DT)
        plain.correct(np.array([READINGS[2 * k][2][0], READINGS[2 * k + 1][2][0]]))
        found += feed(stream, READINGS[2 * k:2 * k + 2])
        present = stream.predicted(START + k * STEP + 7_500_000)
        assert np.isfinite(present.covariance).all()
    assert bits(stream.predicted(found[-1].stamp)) == bits(plain.estimate)
    assert bits(found[-1].estimate) == bits(plain.estimate)
    for _ in range(2):
        plain.predict(DT)
    at = found[-1].stamp + 2 * STEP
    np.testing.assert_allclose(stream.predicted(at).z, plain.estimate.z, rtol=1e-12)
    np.testing.assert_allclose(stream.predicted(at).covariance, plain.estimate.covariance,
                               rtol=1e-8)
    assert stream.predicted(found[-1].stamp + 100_000_000) is not None
    assert stream.predicted(found[-1].stamp + 100_000_001) is None


CALLS = st.lists(st.tuples(st.sampled_from(
    ['on', 'off', 'set', 'set then', 'reset', 'again', 'tune', 'predict', 'input']),
    st.integers(0, len(READINGS) - 1), st.floats(-3.0, 3.0)), max_size=12)


@settings(max_examples=30, deadline=None)
@given(CALLS, st.sampled_from(['error_ekf', 'dekf', 'ukf']), st.sampled_from([0.0, 0.03]))
def test_whatever_is_asked_when_the_same_calls_give_the_same_bits(calls, name, history):
    def run():
        stream, steps = new_stream(name, history_length=history, reorder_window=0.02), []
        for k, reading in enumerate(READINGS):
            for what, when, number in calls:
                if when == k:
                    steps += ask(stream, what, number, reading[1])
            steps += stream.add(*reading)
        return bits_of(steps), stream.state.counts

    assert run() == run()


def ask(stream, what, number, stamp):
    """Call a stream as users may; return Steps."""
    sensor = SENSORS[number > 0.0]
    try:
        if what in ('on', 'off'):
            return stream.enable(sensor, what == 'on')
        if what == 'set':
            return stream.set_state([number], [-number])
        if what == 'set then':
            return stream.set_state([number], [0.0], None, stamp - round(abs(number) * 2e7))
        if what == 'input':
            return stream.add_input(stamp, [number])
    except ValueError:
        return []
    if what == 'tune':
        running = stream._run.filter
        stream.retune(retuned(running, worse_sensors(running), tuned_settings(running)),
                      running.sensors, stream._settings, {})
    {'reset': stream.reset, 'again': stream.begin_again,
     'predict': lambda: stream.predicted(stamp + STEP), 'tune': list}[what]()
    return []
