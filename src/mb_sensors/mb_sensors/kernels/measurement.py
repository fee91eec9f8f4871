"""Measurement functions of a set of channels and their derivatives, by dependent coordinates."""

import math

from numba import float64, njit

from mb_model.record import WORK
from mb_model.separate import separate
from mb_sensors.kernels.angle import ANGLE, angle, angle_jacobian
from mb_sensors.kernels.angular_rate import ANGULAR_RATE, angular_rate, angular_rate_jacobian
from mb_sensors.kernels.channel import CHANNEL, CHANNELS
from mb_sensors.kernels.distance import DISTANCE, distance, distance_jacobian
from mb_sensors.kernels.position import POSITION, position, position_jacobian
from mb_sensors.kernels.relative_angle import (
    RELATIVE_ANGLE,
    relative_angle,
    relative_angle_jacobian,
)
from mb_sensors.kernels.specific_force import (
    SPECIFIC_FORCE,
    specific_force,
    specific_force_jacobian,
)

NOTHING = 0              # always zero: across the plane of a planar mechanism
COORDINATE = 7           # a coordinate of the mechanism itself
_TURN = 2.0 * math.pi
_VECTOR = WORK['q']


@separate(CHANNELS, float64[::1], float64[::1], float64[::1], float64[::1])
def measure(channels, q, qd, qdd, h):
    """Write what ideal sensors read: h(q, qd, qdd), one value for each of the channels (k)."""
    for i in range(channels.size):
        channel = channels[i]
        if channel.kind == ANGLE:
            h[i] = angle(channel, q)
        elif channel.kind == ANGULAR_RATE:
            h[i] = angular_rate(channel, q, qd)
        elif channel.kind == RELATIVE_ANGLE:
            h[i] = relative_angle(channel, q)
        elif channel.kind == SPECIFIC_FORCE:
            h[i] = specific_force(channel, q, qdd)
        elif channel.kind == DISTANCE:
            h[i] = distance(channel, q)
        elif channel.kind == POSITION:
            h[i] = position(channel, q)
        elif channel.kind == COORDINATE:
            h[i] = q[channel.coordinate]
        else:
            h[i] = 0.0


@separate(CHANNEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def measurement_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write one channel's exact derivatives by q, qd and qdd (n_total each)."""
    h_q[:] = 0.0
    h_qd[:] = 0.0
    h_qdd[:] = 0.0
    if channel.kind == ANGLE:
        angle_jacobian(channel, q, h_q)
    elif channel.kind == ANGULAR_RATE:
        angular_rate_jacobian(channel, q, qd, h_q, h_qd)
    elif channel.kind == RELATIVE_ANGLE:
        relative_angle_jacobian(channel, q, h_q)
    elif channel.kind == SPECIFIC_FORCE:
        specific_force_jacobian(channel, q, qdd, h_q, h_qdd)
    elif channel.kind == DISTANCE:
        distance_jacobian(channel, q, h_q)
    elif channel.kind == POSITION:
        position_jacobian(channel, h_q)
    elif channel.kind == COORDINATE:
        h_q[channel.coordinate] = 1.0


@njit(cache=True)
def reads_velocities(channel):
    """Tell whether a channel's reading depends on qd."""
    return channel.kind == ANGULAR_RATE


@njit(cache=True)
def reads_accelerations(channel):
    """Tell whether a channel's reading depends on qdd."""
    return channel.kind == SPECIFIC_FORCE


@njit(cache=True)
def what_is_read(channels, readings):
    """Return whether readings, NaN where there is none, depend on qd, and whether on qdd."""
    velocities, accelerations = False, False
    for i in range(channels.size):
        if not math.isnan(readings[i]):
            velocities = velocities or reads_velocities(channels[i])
            accelerations = accelerations or reads_accelerations(channels[i])
    return velocities, accelerations


@njit(cache=True)
def difference(channel, reading, h):
    """Return reading minus h; of angles the short way round, for readings know no whole turns."""
    residual = reading - h
    if channel.kind == ANGLE or channel.kind == RELATIVE_ANGLE:
        residual -= _TURN * math.floor(residual / _TURN + 0.5)
    return residual
