"""Pressure sensor: a pressure of oil, which the motion of the mechanism does not determine."""

import numpy as np

from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind


def _read(mount):
    return mount.volume('volume'), {}


def _along(sensor, run, rows):
    """Return the pressure of the volume or supply, which a Run with oil has."""
    if not sensor.volume or run.p is None:
        raise ValueError(f'the motion has no oil of {sensor.volume or "no volume"}')
    circuit = run.mechanism.circuit
    if sensor.volume not in circuit.supplies:
        return run.p[rows, circuit.volumes.index(sensor.volume)][:, np.newaxis]
    if run.supply_p is not None:
        return run.supply_p[rows, list(circuit.supplies).index(sensor.volume)][:, np.newaxis]
    return np.full((len(run.t[rows]), 1), circuit.supplies[sensor.volume])


def _acting(sensor, mechanism, machine):
    """Return the pressure of the volume or supply in a machine with oil."""
    oil, circuit = machine.oil, mechanism.circuit
    if not sensor.volume or oil is None:
        raise ValueError(f'the machine has no oil of {sensor.volume or "no volume"}')
    if sensor.volume in circuit.supplies:
        return oil.supply_p[[list(circuit.supplies).index(sensor.volume)]]
    return oil.p[[circuit.volumes.index(sensor.volume)]]


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.name
    message.variance = sensor.settings.variance


_VOLUME = {
    'type': 'string', 'title': 'the name of a volume or supply', 'default': '',
    'description': "Volume or supply of the mechanism's hydraulics, for a filter that estimates "
                   'oil; none for the pressure of anything else.'}

KIND = SensorKind(
    'pressure', measures='A pressure, which the motion does not determine', unit='Pa', read=_read,
    sits_on='volume', driver='pressure_driver',
    keys={'volume': _VOLUME},
    message=FieldsMessage('sensor_msgs/msg/FluidPressure', lambda _: ['fluid_pressure'], _prepare),
    along=_along, acting=_acting, space=Measurement({'volume': _VOLUME}, _read))
