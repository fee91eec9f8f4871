"""Force-torque sensor: the force and the moment that a joint transmits; no motion determines them.

They are what the first body does to the second one at the second one's point, along the axes of the
joint's frame on the first body, as in mechanism.reactions(z, zd).joints.  Errors of the settings
are in N and in N m alike.
"""

import numpy as np

from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind

_CHANNELS = tuple(f'{what}.{axis}' for what in ('force', 'torque') for axis in 'xyz')


def _read(mount):
    return mount.joint('joint'), dict.fromkeys(_CHANNELS)


def _along(sensor, run, rows):
    """Return the reactions of the motion under the forces of the Run."""
    values = []
    for k in rows:
        reaction = run.mechanism.reactions(
            run.z[k], run.zd[k], run.forces[k], run.q[k], t=run.t[k]).joints[sensor.body]
        if not reaction.determined:
            raise ValueError(f'rigid bodies do not say how {sensor.body} shares its load with '
                             'other joints')
        values.append(np.r_[reaction.force, reaction.moment])
    return np.array(values).reshape(-1, len(_CHANNELS))


def _acting(sensor, mechanism, machine):
    """Return what the joint transmits."""
    return machine.joint_load(sensor.body)


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.body


KIND = SensorKind(
    'force_torque', measures='Force and moment that a joint transmits, which the motion does not '
                             'determine', unit='N, N m',
    message=FieldsMessage('geometry_msgs/msg/WrenchStamped',
                          lambda _: [f'wrench.{channel}' for channel in _CHANNELS], _prepare),
    sits_on='joint', along=_along, acting=_acting, space=Measurement(
        {'joint': {'type': 'string', 'title': 'the name of a joint',
                   'description': 'The joint that it is in.'}}, _read))
