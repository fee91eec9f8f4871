"""Settings of sensor drivers: the one home of these values."""

from dataclasses import dataclass

from mb_model import INT64_MAX, Settings, setting
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.selection import sensors_of
from mb_sensors.sources import available_sources

SIMULATED = 'simulated'


@dataclass(frozen=True)
class DriverSettings(Settings):
    """The sensors that a driver reads, and their source."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups to read; empty: all of the mechanism that it can')
    source: str = setting(
        SIMULATED, choices=(SIMULATED, *available_sources()),
        help='Where readings come from; simulated: from the truth of a prototype; others: devices')


@dataclass(frozen=True)
class SimulationSettings(Settings):
    """How readings are simulated."""

    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Seed of the noise of simulated readings')
    checkpoint: str = setting(
        '', help='File of the readings that are sent, from which a killed node continues; '
                 'empty: none, it sends all again whose truth it receives again')


def sensors_to_drive(mechanism, names, kinds):
    """Return the named Sensors, or all of some kinds.  Raises SensorError for others."""
    expected = ' or '.join(kinds)
    if not names:
        every = sensors_of(mechanism, list(mechanism.sensors))
        chosen = [sensor for sensor in every if sensor.kind in kinds]
        if not chosen:
            raise SensorError(f'{mechanism.name}: has no {expected} sensor')
        return chosen
    chosen = sensors_of(mechanism, names)
    for sensor in chosen:
        if sensor.kind not in kinds:
            raise SensorError(f'{sensor.name}: is of kind {sensor.kind}, expected {expected}')
    return chosen
