"""Pressure sensor: a pressure of oil, which the motion of the mechanism does not determine."""

import numpy as np

from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind
from mb_sensors.messages.fields import FieldsMessage


def _read(mount):
    return mount.volume('volume'), {}


def _along(sensor, run, rows):
    """Return the pressure of the volume, which a Run with oil has."""
    if not sensor.volume or run.p is None:
        raise ValueError(f'the motion has no oil of {sensor.volume or "no volume"}')
    return run.p[rows, run.mechanism.circuit.volumes.index(sensor.volume)][:, np.newaxis]


def _acting(sensor, mechanism, machine):
    """Return the pressure of the volume in a machine with oil."""
    if not sensor.volume or machine.oil is None:
        raise ValueError(f'the machine has no oil of {sensor.volume or "no volume"}')
    return machine.oil.p[[mechanism.circuit.volumes.index(sensor.volume)]]


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.name
    message.variance = sensor.settings.variance


_VOLUME = {
    'type': 'string', 'title': 'the name of a volume', 'default': '',
    'description': "Volume of the mechanism's hydraulics, for a filter that estimates oil; none "
                   'for the pressure of anything else.'}

KIND = SensorKind(
    'pressure', measures='A pressure, which the motion does not determine', unit='Pa', read=_read,
    sits_on='volume', driver='pressure_driver',
    keys={'volume': _VOLUME},
    message=FieldsMessage('sensor_msgs/msg/FluidPressure', lambda _: ['fluid_pressure'], _prepare),
    along=_along, acting=_acting, space=Measurement({'volume': _VOLUME}, _read))
