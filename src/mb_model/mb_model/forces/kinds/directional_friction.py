"""Friction that differs by direction, Coulomb's with a peak, continuous at rest.

    F = -(p L+(v) + (1 - p) L-(v)),   p = (1 + tanh(4 w)) / 2,   w = v / vt,
    L = Fc tanh(4 w) + (Fs - Fc) w / (w^2 / 4 + 3/4)^2 + d v

L+ has the numbers of moving forward, L- of moving backward.  With the same ones both ways it is
the law of Brown and McPhee 2016 in forces.law.  index: coordinate; values: Fc+, Fc-, Fs+, Fs-, d+,
d-, vt.
"""

from dataclasses import dataclass
from math import tanh

from mb_model.forces.acting import ON_TURN, read_coordinate
from mb_model.forces.element import Element, ElementKind, ForceKind
from mb_model.forces.law import dry, read_static
from mb_model.jit import entry, kernel

_WAYS = ('forward', 'backward')
_SLOTS = {f'{key}_{way}': 2 * k + side for k, key in enumerate(('coulomb', 'static', 'viscous'))
          for side, way in enumerate(_WAYS)} | {'transition_velocity': 6}


@kernel
def _one_way(values, way, w):
    """Return L and its derivative by w; way: 0 forward, 1 backward."""
    friction, slope, _, _ = dry(values[way], values[2 + way], w)
    viscous = values[4 + way] * values[6]
    return friction + viscous * w, slope + viscous


@entry
def force(values, v):
    """Return F [N or N m], and -dF/dv."""
    w = v / values[6]
    flat = tanh(4.0 * w)
    share = 0.5 * (1.0 + flat)
    forward, forward_slope = _one_way(values, 0, w)
    backward, backward_slope = _one_way(values, 1, w)
    return (-(share * forward + (1.0 - share) * backward),
            (share * forward_slope + (1.0 - share) * backward_slope
             + 2.0 * (1.0 - flat * flat) * (forward - backward)) / values[6])


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized force to Q."""
    push, _ = force(values, qd[index[0]])
    Q[index[0]] += push


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    _, damping = force(values, qd[index[0]])
    return -damping * dqd[index[0]] * e[index[0]]


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    v = qd[index[0]]
    w = v / values[6]
    _, _, flat, peak = dry(values[0], values[2], w)
    share = 0.5 * (1.0 + flat)
    _, damping = force(values, v)
    total = 0.0
    for way in range(2):
        part = share if way == 0 else 1.0 - share
        total -= part * (changes[way] * (flat - peak) + changes[2 + way] * peak
                         + changes[4 + way] * v)
        damping -= part * values[4 + way]       # this part does not depend on vt
    return (total + damping * w * changes[6]) * e[index[0]]


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add a share of its damping to out."""
    _, damping = force(values, qd[index[0]])
    out[index[0], index[0]] += damping_share * max(damping, 0.0)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    push, _ = force(values, qd[index[0]])
    return 0.0, -push * qd[index[0]]


ELEMENT = ElementKind('directional_friction', add, change, value_change, power, add_slopes,
                      positive=frozenset(_SLOTS.values()), is_rare=True)


@dataclass(frozen=True)
class DirectionalFriction:
    """Friction on a coordinate."""

    name: str
    coordinate: str
    values: tuple[float, ...]
    kind: str = 'directional_friction'


def _read(entries, name, value, coordinates, points, bodies):
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    return DirectionalFriction(name, coordinate, (
        *(value[f'coulomb_{way}'] for way in _WAYS),
        *(read_static(entries, name, value, f'_{way}') for way in _WAYS),
        *(value[f'viscous_{way}'] for way in _WAYS), value['transition_velocity'])), added


def _element(layout, friction):
    return Element('directional_friction', (layout.place(friction.coordinate),), friction.values)


def _parameters(key, value):
    way = key.removeprefix('coulomb_')
    if way in _WAYS and f'static_{way}' not in value:
        return _SLOTS[key], _SLOTS[f'static_{way}']
    return (_SLOTS[key],) if key in _SLOTS else ()


def _keys():
    """Return the schema of the numbers of both ways."""
    keys = {}
    for way in _WAYS:
        keys |= {
            f'coulomb_{way}': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                               'description': f'Dry friction while moving {way} [N or N m].'},
            f'static_{way}': {'$ref': '#/$defs/not_negative',
                              'description': f'Its peak at breaking away {way} [N or N m], at '
                                             f'least `coulomb_{way}`, which is the default.'},
            f'viscous_{way}': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                               'description': f'Viscous friction while moving {way} [N s/m or '
                                              'N m s/rad].'}}
    return keys


FORCE = ForceKind('directional_friction', {
    'description': 'Friction that differs by direction, of Brown and McPhee each way: on a '
                   'coordinate or about the joint of two bodies.',
    'required': ['transition_velocity'],
    'properties': ON_TURN | _keys() | {
        'transition_velocity': {
            '$ref': '#/$defs/positive',
            'description': 'Velocity of the peak, below which friction fades out [m/s or rad/s].'}},
}, _read, _element, _parameters)
