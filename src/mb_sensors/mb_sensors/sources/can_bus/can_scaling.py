"""From the raw value of a CANopen device to SI units, as the device itself says."""

from collections.abc import Callable
from math import pi
from typing import Any

from mb_ros.device_clock import nearest
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceError
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    DIGITS,
    RESOLUTION,
    REVOLUTIONS,
    UNIT,
    pascals,
)

_NANOMETRES = 1e9           # linear encoders give their step in nanometres
_WHOLE = 2 ** 32


def angle_scaling(sensor: Sensor, settings: CanSensorSettings, ask: Callable[[int, int], int]):
    """Return convert(counts) -> angle [rad], None for counts that the encoder cannot have.

    ask(index, subindex): the value of an object of the device.  Of a device of several turns
    readings go on where its count begins anew, unless the Sensor counts none: then they are within
    one turn.
    """
    counts = settings.counts or ask(RESOLUTION, 0)
    turns = settings.turns or ask(REVOLUTIONS, 0)
    count_range = min(round(counts * turns), _WHOLE)
    if counts <= 0 or count_range < 1:
        raise SourceError('the encoder has no resolution (6501h); give can.counts, can.turns')
    counting = sensor.turns.counts if sensor.turns is not None else None
    if counting and turns <= 1:
        raise SourceError('it distinguishes 1 turn (6502h), expected several, as counts_turns of '
                          'the sensor is true')
    step = 2.0 * pi / counts
    if counting is False or turns <= 1:
        single = min(round(counts), count_range)
        return lambda raw: step * nearest(raw, single, 0) if 0 <= raw < count_range else None
    last = 0        # the first count is within half the range of zero

    def onward(raw: int) -> float | None:
        nonlocal last
        if not 0 <= raw < count_range:
            return None
        last = nearest(raw, count_range, last)
        return step * last
    return onward


def length_scaling(_sensor: Any, settings: CanSensorSettings, ask: Callable[[int, int], int]):
    """Return convert(counts) -> length [m]."""
    step = 1.0 / settings.counts if settings.counts else ask(RESOLUTION, 0) / _NANOMETRES
    if not step > 0.0:
        raise SourceError('the encoder has no measuring step (6501h); give can.counts')
    return lambda raw: step * nearest(raw, _WHOLE, 0)


def pressure_scaling(_sensor: Any, settings: CanSensorSettings, ask: Callable[[int, int], int]):
    """Return convert(value) -> pressure [Pa], None if it is impossible.

    Whole numbers have decimal digits (6132h), real ones none.
    """
    unit = pascals(ask(UNIT, 1))
    if unit is None:
        raise SourceError(f'its unit (6131h) {ask(UNIT, 1):08x}h is no pressure')
    digits = ask(DIGITS, 1)

    def convert(raw: float):
        value = unit * (raw if isinstance(raw, float) else raw * 10.0 ** -digits)
        return value if settings.lowest <= value <= settings.highest else None
    return convert


SCALINGS = {'rad': angle_scaling, 'm': length_scaling, 'Pa': pressure_scaling}     # by unit
