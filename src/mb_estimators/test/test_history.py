"""Late readings, put where they belong: the bits of readings that came in order."""

from filter_traits import GRAPHS
from hypothesis import assume, given, settings, strategies as st
import numpy as np
import pytest
from robot_motion import figure_of_eight, ideal_readings
from streamed import bits, feed, stream_of

from mb_estimators import available_filters, make_filter
from mb_estimators.filter import FilterError, put_back
from mb_estimators.state import copied
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_model import load_mechanism
from mb_sensors import sensors_of

MS = 1_000_000
START = 1_000_000_000
ROBOT, FOUR_BAR = load_mechanism('three_rrr'), load_mechanism('four_bar')
SENSORS = ('drive_encoders', 'imu')


def new_stream(mechanism=ROBOT, names=SENSORS, name='platform_ekf', **settings):
    return stream_of(mechanism, names, name, filter_dt=1e-3,
                     **{'dt': 1e-3, 'reorder_window': 0.0} | settings)


def robot_readings(count, seed=0):
    """Return (sensor, stamp, values) of all sensors at 1 kHz, with noise, in order."""
    motion = figure_of_eight(np.arange(count) * 1e-3)
    sensors = sensors_of(ROBOT, SENSORS)
    random, readings = np.random.default_rng(seed), []
    columns = [ideal_readings(ROBOT, [sensor], *motion) for sensor in sensors]
    for k in range(count):
        for sensor, values in zip(sensors, columns, strict=True):
            noise = sensor.settings.sigma * random.normal(size=values.shape[1])
            readings.append((sensor.name, START + k * MS, values[k] + noise))
    return readings


def last_bits(stream, readings):
    """Return stamp and bits of the last Step."""
    steps = feed(stream, readings)
    return steps[-1].stamp, bits(steps[-1].estimate)


ALL_READINGS = robot_readings(40)
FEW = [reading for reading in ALL_READINGS if reading[1] < START + 16 * MS]


@settings(max_examples=12, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 12), st.booleans())
def test_whatever_the_order_of_arrival_the_end_is_that_of_readings_in_order(random, lag, dropped):
    """With readings up to `lag` ms late, also of one sensor alone, also with gaps.

    Left aside, some in a thousand: one that is more than ten periods ahead of its sensor's others,
    which counts as a lie if the next one is not, and a start that no position fits.
    """
    readings = [reading for reading in FEW if not dropped or random.random() < 0.7]
    shuffled = sorted(readings, key=lambda r: (r[1] + random.randint(0, lag) * MS, random.random()))
    said = []
    in_order = new_stream(history_length=0.02)
    stream = new_stream(history_length=0.02, late_estimates='both', problems=said)
    end = ALL_READINGS[20 * 5]        # after which nothing is waited for
    expected, found = last_bits(in_order, [*readings, end]), last_bits(stream, [*shuffled, end])
    assume(not in_order.state.counts.rejected)
    assume(not any('is far ahead of those around it' in problem for problem in said))
    assert found == expected
    assert stream.state.counts == in_order.state.counts
    assert stream.state.counts.used == len(readings) + 1
    assert stream.state.missing == in_order.state.missing


def test_the_same_without_a_history_in_a_window_that_waits():
    """The estimates of a stream that waits for all, a reading at a time, are the same bits."""
    waiting = new_stream(reorder_window=0.02)
    late = [reading for reading in ALL_READINGS if reading[0].startswith('platform')]
    other = [reading for reading in ALL_READINGS if not reading[0].startswith('platform')]
    expected = last_bits(waiting, ALL_READINGS)
    stream = new_stream(history_length=0.05)
    assert last_bits(stream, other + late) == expected


@pytest.mark.parametrize('name', available_filters(FOUR_BAR))
def test_every_filter_goes_back_and_on_again_to_the_same_bits(name):
    if name in GRAPHS:        # keeps the last moments open itself
        return
    filter_ = make_filter(name, FOUR_BAR, ['crank_encoder', 'coupler_gyro'], 5e-3)
    random = np.random.default_rng(2)
    readings = np.array([1.05, 0.0]) + 0.01 * random.normal(size=(30, 2))

    def go_on(rows):
        for row in rows:
            filter_.predict(5e-3)
            filter_.correct(row)
        return bits(filter_.estimate)

    go_on(readings[:12])
    saved = copied(filter_.state)
    first = go_on(readings[12:])
    go_on(readings)
    put_back(filter_, saved)
    assert go_on(readings[12:]) == first


@pytest.mark.parametrize(('wanted', 'stamps'), [
    ('newest', [9]), ('corrected', [4]), ('both', [4, 9])])
def test_what_a_late_reading_puts_out(wanted, stamps):
    stream = new_stream(history_length=0.02, late_estimates=wanted)
    for reading in ALL_READINGS[:50]:
        if reading[:2] != ('platform_gyro', START + 4 * MS):
            stream.add(*reading)
    late = next(r for r in ALL_READINGS if r[:2] == ('platform_gyro', START + 4 * MS))
    steps = stream.add(*late)
    assert [step.stamp for step in steps] == [START + k * MS for k in stamps]
    assert steps[0].late[0][:2] == late[:2]
    assert 3 in steps[0].late[0].innovation.channels
    assert all(step.late == () for step in steps[1:])


def test_a_sensor_that_is_late_is_not_waited_for():
    """Encoders of an instant are waited for, an IMU that lags by 3 ms is not."""
    late = [(*r, r[1] + 3 * MS + 1) for r in ALL_READINGS if r[0].startswith('platform')]
    arrivals = sorted([(*r, r[1]) for r in ALL_READINGS if not r[0].startswith('platform')] + late,
                      key=lambda r: r[3])
    stream = new_stream(history_length=0.02, reorder_window=2e-3)
    reported = [(arrival[3], step) for arrival in arrivals for step in stream.add(*arrival[:3])]
    at_once = [step for when, step in reported if step.stamp == when]
    assert [step.stamp for step in at_once[-30:]] == [START + k * MS for k in range(10, 40)]
    assert all(len(step.innovation.channels) == 3 for step in at_once[-30:])


def test_what_is_too_old_or_comes_twice_is_left_out_and_reported():
    reported = []
    stream = new_stream(history_length=0.005, problems=reported)
    for reading in ALL_READINGS[:100]:
        stream.add(*reading)
    before = stream.state.counts
    assert stream.add('platform_gyro', START + 13 * MS, [0.0]) == []
    assert stream.add('platform_gyro', START + 17 * MS, [0.0]) == []
    assert stream.state.counts.late == before.late + 1
    assert stream.state.counts.rejected == before.rejected + 1
    assert 'reading of 1.013000 s came too late' in reported[0]
    assert 'a second reading of 1.017000 s' in reported[1]


def test_late_inputs_act_from_their_stamp_on():
    forces = [(START + 5 * MS, [30.0]), (START + 12 * MS, [-20.0])]
    readings = [('crank_encoder', START + k * MS, [1.05 + 1e-3 * np.sin(k)]) for k in range(30)]

    def stream():
        return new_stream(FOUR_BAR, ['crank_encoder'], 'error_ekf', history_length=0.02)

    in_time, late = stream(), stream()
    for force in forces:
        in_time.add_input(*force)
    expected = last_bits(in_time, readings)
    for reading in readings[:-10]:
        late.add(*reading)
    for force in forces:
        assert late.add_input(*force)[-1].stamp == readings[-11][1]
    assert last_bits(late, readings[-10:]) == expected
    assert late.state.counts.late == 0


def test_a_history_needs_a_filter_that_can_go_back():
    class Forgetful:
        def __getattr__(self, name):
            raise AttributeError(name)

    sensors = sensors_of(FOUR_BAR, ['crank_encoder'])
    with pytest.raises(FilterError, match='history_length: must be 0, Forgetful has no memory'):
        EstimateStream(Forgetful(), sensors, (FOUR_BAR.z0, FOUR_BAR.zd0),
                       StreamSettings(history_length=0.1))
    with pytest.raises(FilterError, match='history_length: must be 0 with interpolate'):
        new_stream(history_length=0.1, interpolate=True)
