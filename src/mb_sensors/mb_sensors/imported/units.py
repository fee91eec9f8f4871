"""Units in which logs may have their columns, and what they are in units of the model."""

from math import pi

_ANGLE = {'rad': 1.0, 'mrad': 1e-3, 'deg': pi / 180.0, 'rev': 2.0 * pi}
_LENGTH = {'m': 1.0, 'cm': 1e-2, 'mm': 1e-3, 'um': 1e-6, 'in': 0.0254, 'ft': 0.3048}
_FORCE = {'N': 1.0, 'kN': 1e3}
GRAVITY = 9.80665       # m/s^2, of the unit g
TIMES = {'s': 10 ** 9, 'ms': 10 ** 6, 'us': 10 ** 3, 'ns': 1}      # ns
_UNITS: dict[str, dict[str, float]] = {
    'rad': _ANGLE,
    'rad/s': {**{f'{name}/s': factor for name, factor in _ANGLE.items()}, 'rpm': pi / 30.0},
    'rad/s^2': {f'{name}/s^2': factor for name, factor in _ANGLE.items()},
    'm': _LENGTH,
    'm/s': {**{f'{name}/s': factor for name, factor in _LENGTH.items()}, 'km/h': 1.0 / 3.6,
            'mph': 0.44704},
    'm/s^2': {**{f'{name}/s^2': factor for name, factor in _LENGTH.items()}, 'g': GRAVITY},
    'N': _FORCE,
    'N m': {**{f'{name} m': factor for name, factor in _FORCE.items()}, 'N mm': 1e-3},
    'Pa': {'Pa': 1.0, 'kPa': 1e3, 'MPa': 1e6, 'bar': 1e5, 'psi': 6894.757293168361},
}


def factor_of(unit: str, wanted: str) -> float:
    """Return what one of a unit is in the wanted one; '' is the wanted one.  Raises ValueError."""
    known = _UNITS.get(wanted, {wanted: 1.0})
    if unit and unit not in known:
        raise ValueError(f'unit: {unit!r} must be one of {", ".join(known)}')
    return known[unit or wanted]
