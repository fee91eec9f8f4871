"""Friction that differs by direction, Coulomb's with a peak, continuous at rest.

    F = -(p L+(v) + (1 - p) L-(v)),   p = (1 + tanh(4 w)) / 2,   w = v / vt,
    L = Fc tanh(4 w) + (Fs - Fc) w / (w^2 / 4 + 3/4)^2 + d v

L+ has the numbers of moving forward, L- of moving backward.  With the same ones for both it is
the law of Brown and McPhee 2016 in forces.law.  index: coordinate; values: Fc+, Fc-, Fs+, Fs-, d+,
d-, vt.
"""

from collections.abc import Collection, Mapping
from functools import partial
from math import tanh
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import ON_TURN, Friction, friction_element, read_coordinate
from mb_model.forces.element import ElementKind, ForceKind
from mb_model.forces.law import dry, read_static
from mb_model.jit import entry, kernel

_SENSES = ('forward', 'backward')
_SLOTS = {f'{key}_{sense}': 2 * k + side for k, key in enumerate(('coulomb', 'static', 'viscous'))
          for side, sense in enumerate(_SENSES)} | {'transition_velocity': 6}


@kernel
def _one_sense(values, sense, w):
    """Return L and its derivative by w; sense: 0 forward, 1 backward."""
    friction, slope, _, _ = dry(values[sense], values[2 + sense], w)
    viscous = values[4 + sense] * values[6]
    return friction + viscous * w, slope + viscous


@entry
def force(values, v):
    """Return F [N or N m], and -dF/dv."""
    w = v / values[6]
    flat = tanh(4.0 * w)
    share = 0.5 * (1.0 + flat)
    forward, forward_slope = _one_sense(values, 0, w)
    backward, backward_slope = _one_sense(values, 1, w)
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
    for sense in range(2):
        part = share if sense == 0 else 1.0 - share
        total -= part * (changes[sense] * (flat - peak) + changes[2 + sense] * peak
                         + changes[4 + sense] * v)
        damping -= part * values[4 + sense]       # this part does not depend on vt
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


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
          points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> tuple[Friction, tuple[Coordinate, ...]]:
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    return Friction(name, 'directional_friction', coordinate, (
        *(value[f'coulomb_{sense}'] for sense in _SENSES),
        *(read_static(entries, name, value, f'_{sense}') for sense in _SENSES),
        *(value[f'viscous_{sense}'] for sense in _SENSES), value['transition_velocity'])), added


def _keys() -> dict[str, Any]:
    """Return the schema of the numbers of both senses."""
    keys = {}
    for sense in _SENSES:
        keys |= {
            f'coulomb_{sense}': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                               'description': f'Dry friction while moving {sense} [N or N m].'},
            f'static_{sense}': {'$ref': '#/$defs/not_negative',
                              'description': f'Its peak at breaking away {sense} [N or N m], at '
                                             f'least `coulomb_{sense}`, which is the default.'},
            f'viscous_{sense}': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                               'description': f'Viscous friction while moving {sense} [N s/m or '
                                              'N m s/rad].'}}
    return keys


FORCE = ForceKind('directional_friction', {
    'description': 'Friction that differs by direction, of Brown and McPhee in each: on a '
                   'coordinate or about the joint of two bodies.',
    'required': ['transition_velocity'],
    'properties': ON_TURN | _keys() | {
        'transition_velocity': {
            '$ref': '#/$defs/positive',
            'description': 'Velocity of the peak, below which friction fades out [m/s or rad/s].'}},
}, _read, partial(friction_element, 'directional_friction'), _SLOTS,
    {f'static_{sense}': f'coulomb_{sense}' for sense in _SENSES})
