"""Relative angle encoder: angle from one body to another, as at the joint between them.

In space: the angle of a joint about its axis, also of one that is no coordinate.
"""

import math

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    add_angle_gradient,
    between_points,
    product,
    spread_product,
)
from mb_sensors.kind_parts.joint_states import JOINT_STATE
from mb_sensors.kind_parts.sensor_kind import BODY, TURNS, Measurement, SensorKind, pair


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


@kernel
def relative_angle_in_space(channel, q, qd, qdd):
    """Return atan2(u y, u x) [rad], x and y across the axis on the first body, u on the other one.

    These are vectors 0, 1 and 2; u is at x at zero.
    """
    return math.atan2(product(channel, 2, q, 1, q), product(channel, 2, q, 0, q))


@kernel
def relative_angle_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    sine, cosine = product(channel, 2, q, 1, q), product(channel, 2, q, 0, q)
    square = sine * sine + cosine * cosine
    for other, factor in ((1, cosine / square), (0, -sine / square)):
        spread_product(channel, 2, other, q, factor, h_q)
        spread_product(channel, other, 2, q, factor, h_q)


def _read(mount):
    first, second = mount.two('bodies', mount.one_body)
    return second, {'': {**mount.axis(first), **mount.axis(second, 'other_')}}


def _read_in_space(mount):
    joint = mount.joint_of_angle('joint')
    (first, second), (one, other) = joint.bodies, joint.frames
    return second, {'': mount.channel(mount.direction(first, one[:, 0]),
                                      mount.direction(first, one[:, 1]),
                                      mount.direction(second, other[:, 0]))}


KIND = SensorKind(
    'relative_angle_encoder',
    measures='Angle from one body to another; in space about the axis of the joint between them',
    unit='rad', read=_read,
    keys={'bodies': pair(BODY, 'two names of bodies', 'The bodies; the angle is of the '
                                                      'second against the first.'), **TURNS},
    sits_on='body', driver='encoder_driver', message=JOINT_STATE, value=relative_angle,
    jacobian=relative_angle_jacobian, whole_turns_unknown=True,
    space=Measurement(
        {'joint': {'type': 'string', 'title': 'the name of a joint',
                   'description': 'The joint; the angle is of its second body against the first.'},
         **TURNS},
        _read_in_space, relative_angle_in_space, relative_angle_jacobian_in_space))
