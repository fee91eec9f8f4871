"""Motor torque: what a motor gives, by its current; no motion determines it.

Of the settings `scale` is the error of the torque constant, `bias` the offset of the current.
"""

from mb_sensors.kind_parts.joint_states import JointStateMessage
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind

_DRIVE = {'type': 'string', 'title': 'the name of a coordinate',
          'description': 'Drive of the mechanism on which the motor acts.'}


def _read(mount):
    return mount.drive('drive'), {}


def _along(sensor, run, rows):
    """Return the force on the drive, of a drive that is a degree of freedom."""
    if sensor.body not in run.mechanism.independent:
        raise ValueError(f'{sensor.body} is no degree of freedom, on which a motion has forces')
    return run.forces[rows][:, [list(run.mechanism.independent).index(sensor.body)]]


def _acting(sensor, mechanism, machine):
    """Return the torque of the drive."""
    if sensor.body not in mechanism.drives:
        raise ValueError(f'{sensor.body} is none of the drives of {mechanism.file}')
    return machine.drive_torques[[list(mechanism.drives).index(sensor.body)]]


KIND = SensorKind(
    'motor_torque',
    measures='Torque of a motor by its current, which the motion does not determine',
    unit='N m', read=_read, keys={'drive': _DRIVE}, sits_on='drive',
    message=JointStateMessage('effort'),
    along=_along, acting=_acting, space=Measurement({'drive': _DRIVE}, _read))
