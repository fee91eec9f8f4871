"""Relative angle encoder: angle from one body to another, as at the joint between them."""

import math

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import add_angle_gradient, between_points
from mb_sensors.kind_parts.sensor_keys import BODY, pair
from mb_sensors.kind_parts.sensor_kind import SensorKind
from mb_sensors.messages.joint_state import JOINT_STATE


@kernel
def relative_angle(channel, q, qd, qdd):
    """Return atan2(u x w, u w) [rad], from u of the first body to w of the other."""
    ux, uy = between_points(channel.first, channel.second, q)
    wx, wy = between_points(channel.other_first, channel.other_second, q)
    return math.atan2(ux * wy - uy * wx, ux * wx + uy * wy)


@kernel
def relative_angle_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    add_angle_gradient(channel.first, channel.second, q, -1.0, h_q)
    add_angle_gradient(channel.other_first, channel.other_second, q, 1.0, h_q)


def _read(mount):
    first, second = mount.two('bodies', mount.one_body)
    return second, {'': {**mount.axis(first), **mount.axis(second, 'other_')}}


KIND = SensorKind(
    'relative_angle_encoder', measures='Angle from one body to another', unit='rad', read=_read,
    keys={'bodies': pair(BODY, 'two names of bodies', 'The bodies; the angle is of the '
                                                      'second against the first.')},
    sits_on='body', driver='encoder_driver', message=JOINT_STATE, value=relative_angle,
    jacobian=relative_angle_jacobian, whole_turns_unknown=True)
