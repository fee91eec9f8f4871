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


def test_a_long_gap_of_the_truth_is_not_read_over():
    sensor, = sensors_of(ROBOT, ['imu'])[:1]
    sensor = sensor.with_settings(replace(sensor.settings, rate=1000.0, delay=0.0))
    sensors, state = SimulatedSensors(ROBOT, [SimulatedSensor(sensor, 0)]), np.ones((3, ROBOT.n))
    assert len(sensors.read(START, *state)) == 1
    assert len(sensors.read(START + 5 * MS, *state)) == 5
    assert len(sensors.read(START + 500 * MS, *state)) == 1
    assert len(sensors.read(START + 400 * MS, *state)) == 0
    assert len(sensors.read(START + 502 * MS, *state)) == 2


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
