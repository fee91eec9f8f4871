"""Units that people write, and what they are in SI, in which all numbers of files are."""

from math import pi
import re

_ANGLE = {'rad': 1.0, 'mrad': 1e-3, 'deg': pi / 180.0, 'rev': 2.0 * pi}
_LENGTH = {'m': 1.0, 'cm': 1e-2, 'mm': 1e-3, 'um': 1e-6, 'in': 0.0254, 'ft': 0.3048}
_FORCE = {'N': 1.0, 'kN': 1e3}
GRAVITY = 9.80665       # m/s^2, of the unit g
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
SPELLED = {
    '°': 'deg', 'degree': 'deg', 'degrees': 'deg', 'grad': 'deg', 'radian': 'rad',
    'radians': 'rad', 'dps': 'deg/s', 'rps': 'rad/s', 'u/min': 'rpm', '1/min': 'rpm', 'mps': 'm/s',
    'mps2': 'm/s^2', 'm/s2': 'm/s^2', 'm/s/s': 'm/s^2', 'm/s²': 'm/s^2', 'rad/s2': 'rad/s^2',
    'rad/s²': 'rad/s^2', 'deg/s2': 'deg/s^2', 'nm': 'N m', 'n*m': 'N m', 'knm': 'kN m',
    'µm': 'um', 'μm': 'um', 'µt': 'uT', 'kmh': 'km/h', 'kph': 'km/h', 'meter': 'm', 'meters': 'm'}
_OTHERS = {'s': 1.0, 'ms': 1e-3, 'us': 1e-6, 'Hz': 1.0, 'kHz': 1e3, **dict.fromkeys((
    'kg', 'kg m^2', 'N/m', 'N s/m', 'N m/rad', 'N m s/rad', 'm^2', 'm^3'), 1.0)}
_AMBIGUOUS = {'g', 'mg', 'G', 'nm'}     # grams, gravity or gauss; nanometres or N m
_FACTORS = {unit: factor for known in (*UNITS.values(), _OTHERS) for unit, factor in known.items()
            if unit not in _AMBIGUOUS}
_WITH_UNIT = re.compile(r'\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)'
                        r'\s*([^\W\d]\S*(?: \S+)*|[°%]\S*)\s*')


def without_unit(text: str, expressions: bool = False) -> str:
    """Return what to write in place of a number with a unit; '' for any other text.

    expressions: whether `radians(1)` may be written, too.
    """
    match = _WITH_UNIT.fullmatch(text)
    if not match:
        return ''
    number, unit = match.groups()
    if unit in _AMBIGUOUS:
        return 'a number without a unit, in SI'
    unit = SPELLED.get(unit.lower(), unit)
    if unit not in _FACTORS:
        return ''
    if expressions and unit.startswith('deg'):
        return f'radians({number})'
    factor = _FACTORS[unit]
    return number if factor == 1.0 else f'{float(number) * factor:.12g}'
