"""The motion of a body with an IMU, as a function of time."""

from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_sensors.kinds import channel_record
from mb_sensors.readings import measured
from mb_sensors.recorded_motion import RecordedMotion
from mb_sensors.sampling import NANOSECONDS


class BodyMotion:
    """Specific force at the origin of a body's frame, in that frame, and how the body turns."""

    def __init__(self, mechanism: Mechanism, body: str, motion: RecordedMotion) -> None:
        """Set up for a body by name and a RecordedMotion; raises MechanismError."""
        plane = mechanism.dimension == 2
        self._origin = motion.stamps[0]
        self._curve = CubicSpline(self._seconds(motion.stamps), (
            _values_in_plane if plane else _values_in_space)(
                mechanism, body, motion.states(mechanism)))

    def covers(self, stamps: IntArray, margin: float) -> BoolArray:
        """Return at which stamps (k) [ns] the motion is known, with a margin [s] around them."""
        t, known = self._seconds(stamps), self._curve.x
        return (t >= known[0] + margin) & (t <= known[-1] - margin)

    def at(self, stamps: IntArray, delay: float) -> tuple[FloatArray, FloatArray]:
        """Return (values, rates of them), (k, v) each, at stamps (k) [ns] less a delay [s].

        values: specific force along the body's axes [m/s^2], angular velocity [rad/s] and
        acceleration [rad/s^2] (9).
        """
        t = self._seconds(stamps) - delay
        return self._curve(t), self._curve(t, 1)

    def _seconds(self, stamps: IntArray) -> FloatArray:
        return (stamps - self._origin) / NANOSECONDS


def _values_in_space(mechanism: Mechanism, body: str, states: FloatArray) -> FloatArray:
    """Return specific force, angular velocity and acceleration (k, 9) in the body's frame."""
    values = []
    for row in np.swapaxes(states, 0, 1):
        one = mechanism.body_motion(body, *row)
        values.append(np.concatenate([one.rotation.T @ part for part in (
            one.acceleration - mechanism.gravity, one.angular_velocity, one.angular_acceleration)]))
    return np.array(values)


def _values_in_plane(mechanism: Mechanism, body: str, states: FloatArray) -> FloatArray:
    """Return the same of a body in the plane, whose frame has z out of it."""
    fx, fy, far, rate = measured(mechanism, _records(mechanism, body), *states).T
    turning, zero = (far - fy) / mechanism.bodies[body].length, np.zeros(len(fx))
    return np.stack([fx, fy, zero, zero, zero, rate, zero, zero, turning], axis=1)


def _records(mechanism: Mechanism, body: str) -> Any:
    """Return CHANNELs: specific force along x and y at the first point, y at the second; rate."""
    first, second = mechanism.body_indices(body)
    axis = {'first': first, 'second': second}
    along, across = ({'cosine': c / mechanism.bodies[body].length,
                      'sine': s / mechanism.bodies[body].length, 'gravity': mechanism.gravity}
                     for c, s in ((1.0, 0.0), (0.0, 1.0)))
    angle = mechanism.angle_index(body)
    return np.concatenate([
        channel_record('accelerometer', **axis, **along),
        channel_record('accelerometer', **axis, **across),
        channel_record('accelerometer', **axis, **across, along=1.0),
        channel_record('gyroscope', **axis, coordinate=-1 if angle is None else angle)])
