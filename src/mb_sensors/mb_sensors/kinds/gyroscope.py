"""Gyroscope: angular rate of the body that it is fixed to, in the plane about z."""

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    add_angle_gradient,
    between_points,
    product,
    spread_product,
    spread_to_points,
    vector,
)
from mb_sensors.kind_parts.messages import ANYTHING, ImuMessage
from mb_sensors.kind_parts.sensor_kind import (
    AT_IN_SPACE,
    BODY,
    RPY,
    Measurement,
    SensorKind,
    axes_in_space,
    number,
)


@kernel
def angular_rate(channel, q, qd, qdd):
    """Return omega = (dx vy - dy vx) / (dx^2 + dy^2) [rad/s], or the body's own angle's rate."""
    if channel.coordinate >= 0:
        return qd[channel.coordinate]
    dx, dy = between_points(channel.first, channel.second, q)
    vx, vy = between_points(channel.first, channel.second, qd)
    return (dx * vy - dy * vx) / (dx * dx + dy * dy)


@kernel
def angular_rate_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add domega/dq and domega/dqd (n_total each), by the quotient rule on omega."""
    if channel.coordinate >= 0:
        h_qd[channel.coordinate] = 1.0
        return
    first, second = channel.first, channel.second
    dx, dy = between_points(first, second, q)
    vx, vy = between_points(first, second, qd)
    square = dx * dx + dy * dy
    omega = (dx * vy - dy * vx) / square
    spread_to_points(first, second, (vy - 2.0 * dx * omega) / square,
                     (-vx - 2.0 * dy * omega) / square, h_q)
    add_angle_gradient(first, second, q, 1.0, h_qd)


@kernel
def angular_rate_in_space(channel, q, qd, qdd):
    """Return omega u [rad/s], about the axis u = v x w, as (w vd - v wd) / 2.

    v, w: vectors 0 and 1, perpendicular unit vectors of the body; vd = omega x v.  An error is what
    the specific force along u, vector 3, of the point, vector 2, adds.
    """
    rate = 0.5 * (product(channel, 1, q, 0, qd) - product(channel, 0, q, 1, qd))
    if channel.g_sensitivity != 0.0:
        ax, ay, az = vector(channel, 2, qdd)
        ux, uy, uz = vector(channel, 3, q)
        rate += channel.g_sensitivity * (
            (ax - channel.gravity[0]) * ux + (ay - channel.gravity[1]) * uy
            + (az - channel.gravity[2]) * uz)
    return rate


@kernel
def angular_rate_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q and by qd (n_total each), without the error."""
    spread_product(channel, 1, 0, qd, 0.5, h_q)
    spread_product(channel, 0, 1, qd, -0.5, h_q)
    spread_product(channel, 0, 1, q, 0.5, h_qd)
    spread_product(channel, 1, 0, q, -0.5, h_qd)


def _read(mount):
    body = mount.body('body')
    return body, {'': {'coordinate': mount.angle(body), **mount.axis(body)}}


def _read_in_space(mount):
    body = mount.body('body')
    turn = mount.turn('rpy')
    point, sensitivity = mount.point_on(body, 'at'), mount.number('g_sensitivity')
    quantities = {}
    for axis in mount.axes('axes'):
        u, v, w = (mount.direction(body, turn[:, ('xyz'.index(axis) + k) % 3]) for k in range(3))
        quantities[axis] = mount.channel(v, w, point, u, gravity=mount.gravity,
                                         g_sensitivity=sensitivity)
    return body, quantities


def _axes(sensor):
    """Return the axes of a Sensor, whose only channel in the plane has no name of an axis."""
    return sensor.axes if sensor.dimension == 3 else 'z'


def _elsewhere(sensor):
    """Return the variance about axes that a Sensor lacks: none turns out of the plane."""
    return ANYTHING if sensor.dimension == 3 else sensor.settings.variance


KIND = SensorKind(
    'gyroscope',
    measures='Angular rate of a body, about axes fixed in it (REP-145); in the plane about z',
    unit='rad/s', read=_read,
    keys={'body': BODY}, sits_on='body', driver='imu_driver',
    message=ImuMessage('angular_velocity', _axes, _elsewhere),
    value=angular_rate, jacobian=angular_rate_jacobian, reads_velocities=True,
    space=Measurement(
        {'body': BODY, 'at': {**AT_IN_SPACE, 'default': [0.0, 0.0, 0.0]}, 'rpy': RPY,
         'axes': axes_in_space(),
         'g_sensitivity': number(
             'What simulated readings have of the specific force along the same axis at that '
             'point; filters do not know it [rad/s per m/s^2].', default=0.0)},
        _read_in_space, angular_rate_in_space, angular_rate_jacobian_in_space))
