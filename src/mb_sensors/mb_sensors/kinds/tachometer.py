"""Tachometer: the rate of a coordinate that is an angle, as of a wheel or a motor."""

from mb_model.jit import kernel
from mb_sensors.kind_parts.joint_states import JointStateMessage
from mb_sensors.kind_parts.sensor_kind import ANGLE, Measurement, SensorKind


@kernel
def rate(channel, q, qd, qdd):
    """Return qd of the coordinate [rad/s]."""
    return qd[channel.coordinate]


@kernel
def rate_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write its derivatives by qd (n_total)."""
    h_qd[channel.coordinate] = 1.0


def _read(mount):
    return '', {'': {'coordinate': mount.coordinate('coordinate', 'rad')}}


KIND = SensorKind(
    'tachometer', measures='Rate of a coordinate that is an angle, as of a wheel or a motor',
    unit='rad/s', read=_read, keys={'coordinate': ANGLE},
    message=JointStateMessage('velocity'), value=rate, jacobian=rate_jacobian,
    reads_velocities=True, space=Measurement({'coordinate': ANGLE}, _read, rate, rate_jacobian))
