"""Angle encoder: absolute angle of a body, from its first point to its second.

In space: a coordinate that is an angle, as of a joint.
"""

import math

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import add_angle_gradient, between_points
from mb_sensors.kind_parts.joint_states import JOINT_STATE
from mb_sensors.kind_parts.sensor_kind import ANGLE, BODY, TURNS, Measurement, SensorKind


@kernel
def angle(channel, q, qd, qdd):
    """Return theta = atan2(dy, dx) [rad], or the body's own angle coordinate if it has one."""
    if channel.coordinate >= 0:
        return q[channel.coordinate]
    dx, dy = between_points(channel.first, channel.second, q)
    return math.atan2(dy, dx)


@kernel
def angle_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write dtheta/dq (n_total), which is 0 before."""
    if channel.coordinate >= 0:
        h_q[channel.coordinate] = 1.0
    else:
        add_angle_gradient(channel.first, channel.second, q, 1.0, h_q)


def _read(mount):
    body = mount.body('body')
    return body, {'': {'coordinate': mount.angle(body), **mount.axis(body)}}


def _read_in_space(mount):
    return '', {'': {'coordinate': mount.coordinate('coordinate', 'rad')}}


KIND = SensorKind(
    'angle_encoder',
    measures='Absolute angle of a body, from its first point to its second; in space a coordinate '
             'that is an angle, as of a joint',
    unit='rad', read=_read, keys={'body': BODY, **TURNS}, sits_on='body', driver='encoder_driver',
    message=JOINT_STATE, value=angle, jacobian=angle_jacobian, whole_turns_unknown=True,
    reads_coordinate=True,
    space=Measurement({'coordinate': ANGLE, **TURNS}, _read_in_space, angle, angle_jacobian))
