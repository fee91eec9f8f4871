"""Sensors that read the motion of one machine together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.faults import FaultSettings
from mb_sensors.readings import true_values
from mb_sensors.simulated_sensor import SimulatedSensor
from mb_sensors.simulated_sensors import SimulatedSensors

MS = 1_000_000
ROBOT = load_mechanism('three_rrr')
NOISE = [{'rate': 250.0}, {'drop_out': 0.2, 'resolution': 0.01}, {'delay': 0.004},
         {'rate': 500.0, 'bias': 0.1, 'stamped_at_arrival': True, 'delay_spread': 0.003},
         {'drawn_bias': 0.3}]
FAULTS = FaultSettings(spike_from=1.05, spike_for=0.1, spike_size=2.0)


def devices():
    return [SimulatedSensor(s.with_settings(replace(s.settings, **noise)), 7, FAULTS)
            for s, noise in zip(sensors_of(ROBOT, ['drive_encoders', 'imu']), NOISE, strict=True)]


def test_each_reads_what_it_would_read_alone():
    """Whatever rates, noise, faults and delays the others have."""
    together, alone = devices(), devices()
    sensors, rng = SimulatedSensors(ROBOT, together), np.random.default_rng(2)
    found, expected = [], []
    for stamp in range(1000 * MS, 1200 * MS, MS):
        state = rng.normal(size=(3, ROBOT.n))
        found += sensors.read(stamp, *state)
        for device in alone:
            device.take(stamp, true_values(ROBOT, device.sensor, *state[:, np.newaxis])[0])
            expected += device.release(stamp)
    assert len(found) > 700
    assert [(s.name, *reading) for s, *reading in found] == [
        (s.name, *reading) for s, *reading in expected]
    assert [(d.taken, d.dropped) for d in together] == [(d.taken, d.dropped) for d in alone]
    assert together[1].dropped > 20


def test_a_wrong_state_is_as_if_it_had_not_been():
    sensors, state = SimulatedSensors(ROBOT, devices()[:2]), np.ones((3, ROBOT.n))
    for wrong in (state[:, 1:], state * np.nan):
        with pytest.raises(ValueError, match='a state'):
            sensors.read(1000 * MS, *wrong)
    assert len(sensors.read(1000 * MS, *state)) == 2


PENDULUM = load_mechanism('pendulum')
START = 1000 * MS


def true_motion(t):
    """Return angle, rate and acceleration of the pendulum at t (k) [s], by scipy."""
    def bend(angle):
        return -1.5 * 9.81 * np.cos(angle)

    found = solve_ivp(lambda _, y: [y[1], bend(y[0])], (0.0, t[-1]), [PENDULUM.z0[0], 0.0],
                      'DOP853', t, rtol=1e-12, atol=1e-12).y
    return found[0], found[1], bend(found[0])


def pendulum_states(t):
    """Return q, qd, qdd (k, n) of the pendulum."""
    angle, rate, bend = true_motion(t)
    x, y = np.cos(angle), np.sin(angle)
    assert PENDULUM.coordinates == ('P.x', 'P.y', 'theta')
    return (np.stack([x, y, angle], 1), np.stack([-y * rate, x * rate, rate], 1),
            np.stack([-y * bend - x * rate ** 2, x * bend - y * rate ** 2, bend], 1))


@pytest.mark.parametrize('rate', [333.0, 1000.0, 7.0, 200.0, 66.67])
@pytest.mark.parametrize('step', [5, 1])
@pytest.mark.parametrize(('kind', 'most'), [
    ({'kind': 'angle_encoder', 'body': 'rod'}, 1e-9), ({'kind': 'gyroscope', 'body': 'rod'}, 1e-7),
    ({'kind': 'accelerometer', 'body': 'rod', 'at': [0.5, 0.0]}, 1e-4)])
def test_readings_are_taken_at_their_true_instants(rate, step, kind, most):
    """Whatever the step of the truth: as many as the rate says, with the values of their stamps."""
    mechanism = PENDULUM.replace(sensors={'one': kind | {'sigma': 0.0, 'rate': rate}})
    sensor, = sensors_of(mechanism, ['one'])
    sensors = SimulatedSensors(mechanism, [SimulatedSensor(sensor, 0)])
    t = np.arange(0, 2001, step) * 1e-3
    found = [reading for k, state in enumerate(zip(*pendulum_states(t), strict=True))
             for reading in sensors.read(START + k * step * MS, *state)]
    numbers = np.arange(np.ceil(rate - 1e-9), np.floor(3.0 * rate + 1e-9) + 1)
    np.testing.assert_allclose([stamp for _, stamp, _ in found], numbers / rate * 1e9, atol=2.0)
    states = pendulum_states(np.append(0.0, numbers / rate - 1.0)) if numbers[0] > rate else (
        pendulum_states(numbers / rate - 1.0))
    expected = true_values(mechanism, sensor, *states)[-len(numbers):]
    np.testing.assert_allclose([values for *_, values in found], expected, atol=most)


def pendulum_sensor(rate, kind='gyroscope', **place):
    mechanism = PENDULUM.replace(
        sensors={'one': {'kind': kind, 'body': 'rod', 'sigma': 0.0, 'rate': rate} | place})
    return mechanism, sensors_of(mechanism, ['one'])[0]


def read_at(stamps, rate=1000.0):
    """Return a gyroscope and its [(stamp, value)] where the truth has these stamps [ms]."""
    mechanism, sensor = pendulum_sensor(rate)
    device = SimulatedSensor(sensor, 0)
    sensors = SimulatedSensors(mechanism, [device])
    t = np.array(stamps) * 1e-3
    instants, places = np.unique(np.append(0.0, t), return_inverse=True)
    states = [x[places[1:]] for x in pendulum_states(instants)]
    return device, [(stamp, values[0]) for at, *state in zip(stamps, *states, strict=True)
                    for _, stamp, values in sensors.read(START + at * MS, *state)]


def true_rates(found):
    t = np.array([stamp - START for stamp, _ in found]) * 1e-9
    instants, places = np.unique(np.append(0.0, t), return_inverse=True)
    return true_motion(instants)[1][places[1:]]


@pytest.mark.parametrize('stale', [20, 0, 100, 99])
def test_truth_that_does_not_advance_changes_nothing(stale):
    """It is neither read nor interpolated from."""
    _, found = read_at([10, 20, 100, stale, 104])
    assert [(at - START) // MS for at, _ in found] == list(range(10, 105))
    late = found[-4:]
    np.testing.assert_allclose([value for _, value in late], true_rates(late), atol=1e-7)
    device = SimulatedSensor(pendulum_sensor(1000.0)[1], 0)
    for at in (100, stale, 104):
        device.take(START + at * MS, [float(at)])
    taken = [(stamp, values[0]) for _, stamp, values in device.release_all()]
    assert taken == [(START + at * MS, pytest.approx(at)) for at in range(100, 105)]


def test_a_long_gap_of_the_truth_is_not_read_over():
    device, found = read_at([0, 5, 500, 400, 502])
    assert [(at - START) // MS for at, _ in found] == [*range(6), 500, 501, 502]
    np.testing.assert_allclose([value for _, value in found], true_rates(found), atol=1e-7)
    assert device.missed == 494
    other = device.with_settings()
    assert (other.missed, other.shortest) == (494, 2 * MS)


@pytest.mark.parametrize(('period', 'missed'), [(100, 0), (101, 10), (125, 12), (500, 49)])
def test_slow_truth_is_read_between_once_its_period_is_known(period, missed):
    device, found = read_at(range(0, 10_001, period), 100.0)
    last = 10_000 // period * period
    assert device.taken == len(found) == last // 10 + 1 - missed
    assert device.missed == missed
    assert device.shortest == period * MS


IMPACTS = [(share, before, jump, force) for share in (0.2, 0.4, 0.5, 0.6, 0.8)
           for before in (0.0, 0.4) for jump, force in ((1.0, 0.0), (-3.0, 0.0), (0.0, 40.0))]


@pytest.mark.parametrize(('share', 'before', 'jump', 'force'), IMPACTS)
@pytest.mark.parametrize('kind', ['gyroscope', 'accelerometer'])
def test_nothing_shows_an_impact_before_it_by_more_than_a_straight_line(
        share, before, jump, force, kind):
    """A velocity or a force that jumps between two states 5 ms apart."""
    place = {'at': [1.0, 0.0]} if kind == 'accelerometer' else {}
    mechanism, sensor = pendulum_sensor(1000.0, kind, **place)
    sensors = SimulatedSensors(mechanism, [SimulatedSensor(sensor, 0)])
    h, later = 5e-3, (1.0 - share) * 5e-3
    angles = np.array([[0.3, before, 0.0], [
        0.3 + before * h + jump * later + 0.5 * force * later ** 2, before + jump + force * later,
        force]])
    states = []
    for angle, rate, bend in angles:
        x, y = np.cos(angle), np.sin(angle)
        states.append(np.array([[x, y, angle], [-y * rate, x * rate, rate],
                                [-y * bend - x * rate ** 2, x * bend - y * rate ** 2, bend]]))
    sensors.read(START, *states[0])
    found = np.array([values for *_, values in sensors.read(START + 5 * MS, *states[1])])
    s = np.arange(1, 6)[:, np.newaxis, np.newaxis] / 5.0
    line = true_values(mechanism, sensor,
                       *np.swapaxes(states[0] + s * (states[1] - states[0]), 0, 1))
    start = true_values(mechanism, sensor, *states[0][:, np.newaxis])
    early = np.arange(1, 6) / 5.0 < share - 1e-9
    assert (np.abs(found - start)[early] <= np.abs(line - start)[early] + 1e-9).all()
    lowest, highest = np.minimum(start, line[-1]), np.maximum(start, line[-1])
    if not force:
        np.testing.assert_allclose(found, line, atol=1e-9)
    assert np.abs(found).max() <= 1.01 * max(np.abs(lowest).max(), np.abs(highest).max())


@pytest.mark.parametrize('delay', [0.0032, 0.007])
@pytest.mark.parametrize('at_arrival', [False, True])
def test_delays_need_be_no_multiple_of_the_step(delay, at_arrival):
    """Readings come with the first state after their arrival; stamps are exact."""
    sensor, = sensors_of(ROBOT, ['imu'])[:1]
    sensor = sensor.with_settings(replace(sensor.settings, rate=200.0, delay=delay,
                                          stamped_at_arrival=at_arrival))
    sensors, state = SimulatedSensors(ROBOT, [SimulatedSensor(sensor, 0)]), np.ones((3, ROBOT.n))
    late = round(delay * 1e9)
    for k in range(100):
        now = START + 5 * k * MS
        for _, stamp, _ in sensors.read(now, *state):
            taken = stamp - late * at_arrival
            assert (taken - START) % (5 * MS) == 0
            assert taken + late <= now < taken + late + 5 * MS


def test_a_pressure_is_read_on_a_line():
    crane = load_mechanism('crane')
    sensor = next(s for s in sensors_of(crane, list(crane.sensors)) if s.kind == 'pressure')
    device = SimulatedSensor(sensor.with_settings(
        replace(sensor.settings, sigma=0.0, resolution=0.0, delay=0.0, rate=400.0)), 0)
    for k in range(3):
        device.take(START + 10 * k * MS, [1e6 + 1e5 * k])
    found = device.release(START + 100 * MS)
    assert [stamp for _, stamp, _ in found] == [START + 2_500_000 * k for k in range(9)]
    assert [values[0] for *_, values in found] == pytest.approx(1e6 + 2.5e4 * np.arange(9))
