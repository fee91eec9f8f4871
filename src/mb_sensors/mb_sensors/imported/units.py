"""Units in which logs may have their columns, and what they are in units of the model."""

from collections.abc import Mapping
from math import pi
import re

_ANGLE = {'rad': 1.0, 'mrad': 1e-3, 'deg': pi / 180.0, 'rev': 2.0 * pi}
_LENGTH = {'m': 1.0, 'cm': 1e-2, 'mm': 1e-3, 'um': 1e-6, 'in': 0.0254, 'ft': 0.3048}
_FORCE = {'N': 1.0, 'kN': 1e3}
GRAVITY = 9.80665       # m/s^2, of the unit g
ATMOSPHERE = 101325.0   # Pa
TIMES = {'s': 10 ** 9, 'ms': 10 ** 6, 'us': 10 ** 3, 'ns': 1}      # ns
UNITS: dict[str, dict[str, float]] = {
    'rad': _ANGLE,
    'rad/s': {**{f'{name}/s': factor for name, factor in _ANGLE.items()}, 'rpm': pi / 30.0},
    'rad/s^2': {f'{name}/s^2': factor for name, factor in _ANGLE.items()},
    'm': _LENGTH,
    'm/s': {**{f'{name}/s': factor for name, factor in _LENGTH.items()}, 'km/h': 1.0 / 3.6,
            'mph': 0.44704},
    'm/s^2': {**{f'{name}/s^2': factor for name, factor in _LENGTH.items()}, 'g': GRAVITY,
              'mg': 1e-3 * GRAVITY},
    'N': _FORCE,
    'N m': {**{f'{name} m': factor for name, factor in _FORCE.items()}, 'N mm': 1e-3},
    'Pa': {'Pa': 1.0, 'kPa': 1e3, 'MPa': 1e6, 'bar': 1e5, 'mbar': 1e2, 'psi': 6894.757293168361},
    '1': {'1': 1.0, '%': 1e-2},         # of commands
    'T': {'T': 1.0, 'mT': 1e-3, 'uT': 1e-6, 'G': 1e-4, 'mG': 1e-7},
}
# How names of columns and lines of units write them.
_SPELLED = {
    '°': 'deg', 'degree': 'deg', 'degrees': 'deg', 'grad': 'deg', 'radian': 'rad',
    'radians': 'rad', 'dps': 'deg/s', 'rps': 'rad/s', 'u/min': 'rpm', '1/min': 'rpm', 'mps': 'm/s',
    'mps2': 'm/s^2', 'm/s2': 'm/s^2', 'm/s/s': 'm/s^2', 'm/s²': 'm/s^2', 'rad/s2': 'rad/s^2',
    'rad/s²': 'rad/s^2', 'deg/s2': 'deg/s^2', 'nm': 'N m', 'n*m': 'N m', 'knm': 'kN m',
    'µm': 'um', 'μm': 'um', 'µt': 'uT', 'kmh': 'km/h', 'kph': 'km/h', 'meter': 'm', 'meters': 'm'}
_TIMES_SPELLED = {
    'sec': 's', 'secs': 's', 'second': 's', 'seconds': 's', 'msec': 'ms', 'millis': 'ms',
    'milliseconds': 'ms', 'µs': 'us', 'μs': 'us', 'usec': 'us', 'micros': 'us',
    'microseconds': 'us', 'nsec': 'ns', 'nanos': 'ns', 'nanoseconds': 'ns',
    'sampletimefine': 'us'}         # of Xsens


def factor_of(unit: str, wanted: str) -> float:
    """Return what one of a unit is in the wanted one; '' is the wanted one.  Raises ValueError."""
    known = UNITS.get(wanted, {wanted: 1.0})
    if unit and unit not in known:
        raise ValueError(f'unit: {unit!r} must be one of {", ".join(known)}')
    return known[unit or wanted]


def unit_in(text: str, wanted: str) -> str:
    """Return the unit of the quantity of a wanted unit that a name says, '' for none.

    Such as `angle [deg]`, `angle_deg`, `Torque (Nm)`; a name of one or two letters says none.
    """
    return _said(text, {**{name.lower(): name for name in UNITS.get(wanted, {})}, **_SPELLED},
                 UNITS.get(wanted, {}))


def time_unit_in(text: str) -> str:
    """Return the unit of time that a name says: a key of TIMES, '' for none."""
    return _said(text, {**{name: name for name in TIMES}, **_TIMES_SPELLED}, TIMES)


def _said(text: str, spelled: Mapping[str, str], known: Mapping[str, float]):
    """Return which of the known units a text says, in brackets or as its last words."""
    inside = re.findall(r'[\[(]\s*([^\])]*?)\s*[\])]', text)
    words = re.split(r'[\s_\-.\[\]()]+|(?<=[a-z])(?=[A-Z])', text.strip())
    words = [word for word in words if word]
    words = [word for word in words if word.lower() != 'in']      # which is rarely inches
    ends = [separator.join(words[-count:]) for count in (3, 2, 1) if len(words) > count
            for separator in ('/', ' ', '')]
    whole = [text.strip()] if text.strip().lower() in spelled and len(text.strip()) > 2 else []
    for one in (*inside, *ends, *whole):
        unit = one if one in known else spelled.get(one.lower().replace('**', '^'), '')
        if unit in known:
            return unit
    return ''
