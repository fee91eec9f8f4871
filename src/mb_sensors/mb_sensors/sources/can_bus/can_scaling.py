"""From the raw value of a CANopen device to SI units, as the device itself says."""

from math import pi

from mb_sensors.sources.can_bus.canopen_profiles import (
    DIGITS,
    RESOLUTION,
    REVOLUTIONS,
    UNIT,
    centred,
    pascals,
)
from mb_sensors.sources.source import SourceError

_NANOMETRES = 1e9           # linear encoders give their step in nanometres
_WHOLE = 2 ** 32


def angle_scaling(settings, ask):
    """Return convert(counts) -> angle [rad], None for counts that the encoder cannot have.

    ask(index, subindex): the value of an object of the device.
    """
    counts = settings.counts or ask(RESOLUTION, 0)
    turns = settings.turns or ask(REVOLUTIONS, 0)
    count_range = min(round(counts * turns), _WHOLE)
    if count_range < 1:
        raise SourceError('the encoder has no resolution (6501h); give can.counts, can.turns')

    def convert(raw):
        return 2.0 * pi / counts * centred(raw, count_range) if 0 <= raw < count_range else None
    return convert


def length_scaling(settings, ask):
    """Return convert(counts) -> length [m]."""
    step = 1.0 / settings.counts if settings.counts else ask(RESOLUTION, 0) / _NANOMETRES
    if not step > 0.0:
        raise SourceError('the encoder has no measuring step (6501h); give can.counts')
    return lambda raw: step * centred(raw % _WHOLE, _WHOLE)


def pressure_scaling(settings, ask):
    """Return convert(value) -> pressure [Pa], None if it is impossible.

    Whole numbers have decimal digits (6132h), real ones none.
    """
    unit = pascals(ask(UNIT, 1))
    if unit is None:
        raise SourceError(f'its unit (6131h) {ask(UNIT, 1):08x}h is no pressure')
    digits = ask(DIGITS, 1)

    def convert(raw):
        value = unit * (raw if isinstance(raw, float) else raw * 10.0 ** -digits)
        return value if settings.lowest <= value <= settings.highest else None
    return convert


SCALINGS = {'rad': angle_scaling, 'm': length_scaling, 'Pa': pressure_scaling}     # by unit
