"""Friction with bristles that bend before the surfaces slide: LuGre's, and elastoplastic.

Elastoplastic bristles only bend up to a share of the force of sliding.  A force below that share
moves a body elastically and does not let it creep, as LuGre's does.

The mean deflection z of the bristles is a state.  With s = sigma0 z sgn(v) / g(v), the deflection
as a share of the deflection in steady sliding,

    z' = v (1 - alpha(s) s),   F = -(sigma0 z + sigma1 z' + sigma2 v),
    g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)

    alpha = 1                                                                      LuGre
    alpha = 0 to the share b (and where z and v differ in sign), 1 from s = 1 on,
            (1 + sin(pi (s - (1 + b) / 2) / (1 - b))) / 2 between                  elastoplastic

Sources: Canudas de Wit, Olsson, Astrom, Lischinsky 1995 (IEEE TAC 40(3)), Eqs. (1)-(4); Dupont,
Hayward, Armstrong, Altpeter 2002 (IEEE TAC 47(5)), Eqs. (10)-(14).

z is the rate of a coordinate of its own, which nothing else touches and whose inertia is sigma0.
So every formulation, integrator and filter has it among its states, and the kinetic energy of that
coordinate is sigma0 z^2 / 2, the energy of the bent bristles.
"""

from collections.abc import Collection, Mapping
from functools import partial
from math import cos, exp, pi, sin
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import ON_TURN, Friction, friction_element, read_coordinate
from mb_model.forces.element import ElementKind, ForceKind
from mb_model.forces.law import read_static
from mb_model.jit import entry, kernel

# values: sigma0, sigma1, sigma2, Fc, Fs, vs, b (negative: LuGre), inertia
SLOTS = {'stiffness': 0, 'damping': 1, 'viscous': 2, 'coulomb': 3, 'static': 4,
         'stribeck_velocity': 5, 'breakaway': 6}
BENDS_ALWAYS = -1.0           # b of a law without a share below which bristles bend alone


@kernel
def sliding(s, b):
    """Return 1 - alpha(s) s, and its derivatives by s and b."""
    if b < 0.0 or s >= 1.0:
        return 1.0 - s, -1.0, 0.0
    if s <= b:
        return 1.0, 0.0, 0.0
    width = 1.0 - b
    angle = pi * (s - 0.5 * (1.0 + b)) / width
    alpha, steep = 0.5 * (1.0 + sin(angle)), 0.5 * pi * cos(angle) / width
    return 1.0 - alpha * s, -alpha - steep * s, steep * s * (1.0 - s) / width


@kernel
def steady(values, v):
    """Return g(v) [N or N m], its derivative by v, and the share of Fs in it."""
    w = v / values[5]
    peak = exp(-w * w)
    excess = (values[4] - values[3]) * peak
    return values[3] + excess, -2.0 * w / values[5] * excess, peak


@entry
def bend(values, z, v):
    """Return z' [m/s or rad/s], and its derivatives by z and by v."""
    sign = 1.0 if v >= 0.0 else -1.0
    g, slope, _ = steady(values, v)
    s = values[0] * z * sign / g
    free, by_s, _ = sliding(s, values[6])
    return v * free, abs(v) * by_s * values[0] / g, free - v * by_s * s * slope / g


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q: on the coordinate, and on the bristles' own."""
    x, bristles = index[0], index[1]
    z, v = qd[bristles], qd[x]
    rate, _, _ = bend(values, z, v)
    Q[x] -= values[0] * z + values[1] * rate + values[2] * v
    Q[bristles] += values[7] * rate


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x, bristles = index[0], index[1]
    dz, dv = dqd[bristles], dqd[x]
    _, by_z, by_v = bend(values, qd[bristles], qd[x])
    rate = by_z * dz + by_v * dv
    return (values[7] * rate * e[bristles]
            - (values[0] * dz + values[1] * rate + values[2] * dv) * e[x])


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    x, bristles = index[0], index[1]
    z, v = qd[bristles], qd[x]
    sign, (g, _, peak) = 1.0 if v >= 0.0 else -1.0, steady(values, v)
    s, w = values[0] * z * sign / g, v / values[5]
    free, by_s, by_b = sliding(s, values[6])
    dg = (changes[3] * (1.0 - peak) + changes[4] * peak
          + (values[4] - values[3]) * peak * 2.0 * w * w / values[5] * changes[5])
    ds = s * (changes[0] / values[0] - dg / g)
    rate = v * (by_s * ds + by_b * changes[6])
    return ((values[7] * rate + changes[7] * v * free) * e[bristles]
            - (changes[0] * z + changes[1] * v * free + values[1] * rate + changes[2] * v) * e[x])


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of its damping to out: of the motion, and of the bristles that slip."""
    x, bristles = index[0], index[1]
    _, by_z, by_v = bend(values, qd[bristles], qd[x])
    out[x, x] += damping_share * max(values[2] + values[1] * by_v, 0.0)
    out[bristles, bristles] += damping_share * max(-values[7] * by_z, 0.0)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]; the energy of bent bristles is kinetic, see above."""
    z, v = qd[index[1]], qd[index[0]]
    rate, _, _ = bend(values, z, v)
    return 0.0, (values[0] * z + values[1] * rate + values[2] * v) * v - values[7] * rate * z


ELEMENT = ElementKind('bristles', add, change, value_change, power, add_slopes,
                      positive=frozenset(SLOTS.values()) - {SLOTS['breakaway']}, is_rare=True)

_KEYS = ON_TURN | {
    'stiffness': {'$ref': '#/$defs/positive',
                  'description': 'Of the bristles, sigma0 [N/m or N m/rad].'},
    'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                'description': 'Of the bristles, sigma1 [N s/m or N m s/rad].'},
    'viscous': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                'description': 'Viscous friction, sigma2 [N s/m or N m s/rad].'},
    'coulomb': {'$ref': '#/$defs/positive',
                'description': 'Dry friction while sliding [N or N m].'},
    'static': {'$ref': '#/$defs/positive',
               'description': 'Friction of very slow sliding [N or N m], at least `coulomb`, which '
                              'is the default.'},
    'stribeck_velocity': {
        '$ref': '#/$defs/positive',
        'description': 'Velocity at which friction falls from `static` to `coulomb` [m/s or '
                       'rad/s]; needed where these differ.'}}
_REQUIRED = ['stiffness', 'coulomb']
_PARAMETERS = {key: slot for key, slot in SLOTS.items() if key in _KEYS}
_FOLLOWS = {'static': 'coulomb'}
_element = partial(friction_element, 'bristles')


def _read_bristles(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                   bodies: Mapping[str, Any], kind: str,
                   breakaway: float) -> tuple[Friction, tuple[Coordinate, ...]]:
    """Return (Friction, Coordinates that it adds) of an entry of a kind."""
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    coulomb, static = value['coulomb'], read_static(entries, name, value)
    if static > coulomb and 'stribeck_velocity' not in value:
        entries.fail(f'forces.{name}.stribeck_velocity', 'missing: beyond it friction falls from '
                                                         'static to coulomb')
    stiffness = value['stiffness']
    own = Coordinate(f'{name}.bristles', 'bristles', 'm', inertia=stiffness, of=coordinate)
    return Friction(name, kind, coordinate, (
        stiffness, value['damping'], value['viscous'], coulomb, static,
        value.get('stribeck_velocity', 1.0), breakaway, stiffness), (own.name,)), (*added, own)


def _read_lugre(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                points: Mapping[str, Any],
                bodies: Mapping[str, Any]) -> tuple[Friction, tuple[Coordinate, ...]]:
    return _read_bristles(entries, name, value, coordinates, bodies, 'lugre', BENDS_ALWAYS)


LUGRE = ForceKind('lugre', {
    'description': 'Friction of the LuGre model on a coordinate or about the joint of two bodies: '
                   'bristles bend before the surfaces slide.  Their deflection is the rate of a '
                   'coordinate that it adds, called after it with .bristles behind.',
    'required': _REQUIRED, 'properties': _KEYS,
}, _read_lugre, _element, _PARAMETERS, _FOLLOWS)


def _read_elastoplastic(entries: Any, name: str, value: dict[str, Any],
                        coordinates: Collection[str], points: Mapping[str, Any],
                        bodies: Mapping[str, Any]) -> tuple[Friction, tuple[Coordinate, ...]]:
    if not value['breakaway'] < 1.0:
        entries.fail(f'forces.{name}.breakaway', f'{value["breakaway"]:g} must be < 1')
    return _read_bristles(entries, name, value, coordinates, bodies, 'elastoplastic',
                         value['breakaway'])


ELASTOPLASTIC = ForceKind('elastoplastic', {
    'description': 'Elastoplastic friction on a coordinate or about the joint of two bodies: as '
                   '`lugre`, but bristles only bend up to a share of the force of sliding.',
    'required': _REQUIRED,
    'properties': _KEYS | {
        'breakaway': {'$ref': '#/$defs/not_negative', 'default': 0.7,
                      'description': 'The share of the steady deflection up to which bristles only '
                                     'bend [0 to 1].'}},
}, _read_elastoplastic, _element, SLOTS, _FOLLOWS)

FORCES = LUGRE, ELASTOPLASTIC
