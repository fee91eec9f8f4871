"""Sensors of forces along a recorded motion, against Newton and Euler for the last body."""

import numpy as np
import pytest

from mb_model import load_mechanism, simulate
from mb_sensors import RecordedSensor, SensorError, sensors_of

RATE, STEP = 500.0, 2_000_000
STAMPS = 1_000_000_000 + STEP * np.arange(26)


def sensor_and_run(entry):
    mechanism = load_mechanism('six_axis_arm').replace(sensors={
        'probe': {'sigma': 0.0, 'rate': RATE, **entry}})
    run = simulate(mechanism, 0.05, STEP / 1e9, inputs={'q6': 0.3, 'q2': -20.0},
                   estimate_error=False)
    return sensors_of(mechanism, 'probe')[0], run


def test_a_force_torque_sensor_reads_what_moves_the_last_body():
    sensor, run = sensor_and_run({'kind': 'force_torque', 'joint': 'last'})
    assert sensor.channels[:4] == ('probe.force.x', 'probe.force.y', 'probe.force.z',
                                   'probe.torque.x')
    mechanism = run.mechanism
    body, frame = mechanism.bodies['wrist3'], mechanism.joints['last'].frames
    read = RecordedSensor(sensor, run, STAMPS).readings(0)
    for k in (3, 20):
        motion, other = (mechanism.body_motion(name, run.q[k], run.qd[k], run.qdd[k])
                         for name in ('wrist3', 'wrist2'))
        inertia = motion.rotation @ body.inertia @ motion.rotation.T
        arm = motion.rotation @ body.centre_of_gravity
        force = body.mass * (motion.acceleration_of(body.centre_of_gravity) - mechanism.gravity)
        moment = (inertia @ motion.angular_acceleration + np.cross(
            motion.angular_velocity, inertia @ motion.angular_velocity) + np.cross(arm, force))
        axes = other.rotation @ frame[0]
        expected = np.r_[axes.T @ force, axes.T @ moment]
        expected[5] -= 0.3      # what the drive gives about the axis, z, is no load of the joint
        np.testing.assert_allclose(read[k], expected, atol=1e-6)
    assert np.abs(read[20]).max() > 0.5


def test_a_motor_reads_its_torque_with_the_errors_of_gain_and_offset():
    sensor, run = sensor_and_run({'kind': 'motor_torque', 'drive': 'q2', 'scale': 0.02,
                                  'bias': 0.1, 'resolution': 0.01})
    read = RecordedSensor(sensor, run, STAMPS).readings(0)
    np.testing.assert_allclose(read, -20.0 * 1.02 + 0.1)


def test_what_a_motion_does_not_say_is_refused():
    mechanism = load_mechanism('stewart').replace(sensors={
        'probe': {'kind': 'motor_torque', 'drive': 'length1', 'sigma': 0.0, 'rate': RATE},
        'oil': {'kind': 'pressure', 'sigma': 0.0, 'rate': RATE}})
    run = simulate(mechanism, 0.05, STEP / 1e9, estimate_error=False)
    for name, text in (('probe', 'length1 is no degree of freedom'), ('oil', 'has no oil')):
        with pytest.raises(SensorError, match=text):
            RecordedSensor(sensors_of(mechanism, name)[0], run, STAMPS)
