"""Linear encoder: a coordinate that is a length, as the position along a slider."""


from mb_model.jit import kernel
from mb_sensors.kind_parts.joint_states import JOINT_STATE
from mb_sensors.kind_parts.sensor_kind import LENGTH, Measurement, SensorKind


@kernel
def coordinate(channel, q, qd, qdd):
    """Return q of the coordinate [m]."""
    return q[channel.coordinate]


@kernel
def coordinate_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write its derivatives by q (n_total)."""
    h_q[channel.coordinate] = 1.0


def _read(mount):
    return '', {'': {'coordinate': mount.coordinate('coordinate', 'm')}}


KIND = SensorKind(
    'linear_encoder', measures='A coordinate that is a length, as the position along a slider',
    unit='m', read=_read, driver='encoder_driver', keys={'coordinate': LENGTH},
    message=JOINT_STATE, value=coordinate, jacobian=coordinate_jacobian, reads_coordinate=True,
    space=Measurement({'coordinate': LENGTH}, _read, coordinate, coordinate_jacobian))
