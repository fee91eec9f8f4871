"""Friction of a drive that grows with the load that it carries, as in gears.

A drive of effort e passes on p = e - T.  With w = v / vt, flat = tanh(4 w) and the share a, of the
motor pushing (p v > 0) or of the load pushing:

    T = D + a |p| flat,   D = Fc flat + (Fs - Fc) (w / (w^2 / 4 + 3/4)^2) + d v
    p = (e - D) / (1 + a flat sgn(e - D))

which needs no iteration: p has the sign of e - D where a < 1.  Source: Hamon, Gautier and Garrec
2010 (IROS, "Dynamic identification of robots with a dry friction model depending on load and
velocity"), two quadrants by Gautier and Jubien 2014, with dry friction of Brown and McPhee 2016,
which is continuous at rest.  T v >= 0: it takes energy only.

index: coordinate, entry behind the coordinates in which kernels.efforts writes e; values: Fc, Fs,
d, vt, shares of motor and load.
"""

from collections.abc import Collection, Mapping
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import ON_TURN, Friction, read_coordinate
from mb_model.forces.element import Element, ElementKind, ForceKind
from mb_model.forces.law import dry, read_static
from mb_model.jit import entry, kernel

_SLOTS = {'coulomb': 0, 'static': 1, 'viscous': 2, 'transition_velocity': 3, 'load_share': 4,
          'load_share_driven': 5}


@kernel
def _own(values, v):
    """Return D and its derivative by v, flat and its derivative by v, and the peak of Fs."""
    friction, slope, flat, peak = dry(values[0], values[1], v / values[3])
    return (friction + values[2] * v, slope / values[3] + values[2], flat,
            4.0 * (1.0 - flat * flat) / values[3], peak)


@entry
def passed_on(values, effort, v):
    """Return p [N or N m] of an effort at a rate v, and its derivatives by effort and by v."""
    own, damping, flat, steep, _ = _own(values, v)
    rest = effort - own
    side = 1.0 if rest >= 0.0 else -1.0
    share = values[4] if side * flat >= 0.0 else values[5]
    through = 1.0 / (1.0 + share * flat * side)
    passed = through * rest
    return passed, through, -through * (damping + share * abs(passed) * steep)


@entry
def effort_for(values, passed, v):
    """Return the effort of a drive that passes on p at a rate v [N or N m]."""
    own, _, flat, _, _ = _own(values, v)
    share = values[4] if passed * flat >= 0.0 else values[5]
    return passed + own + share * abs(passed) * flat


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized force, -T, to Q."""
    effort = q[index[1]]
    Q[index[0]] += passed_on(values, effort, qd[index[0]])[0] - effort


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    _, by_effort, by_rate = passed_on(values, q[index[1]], qd[index[0]])
    return ((by_effort - 1.0) * dq[index[1]] + by_rate * dqd[index[0]]) * e[index[0]]


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    v = qd[index[0]]
    _, damping, flat, steep, peak = _own(values, v)
    passed, through, _ = passed_on(values, q[index[1]], v)
    driven = passed * flat < 0.0
    share, d_share = (values[5], changes[5]) if driven else (values[4], changes[4])
    by_transition = -v / values[3] * (damping - values[2] + share * abs(passed) * steep)
    return -through * (changes[0] * (flat - peak) + changes[1] * peak + changes[2] * v
                       + changes[3] * by_transition + d_share * abs(passed) * flat) * e[index[0]]


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add a share of its damping to out."""
    _, _, by_rate = passed_on(values, q[index[1]], qd[index[0]])
    out[index[0], index[0]] += damping_share * max(-by_rate, 0.0)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    effort, v = q[index[1]], qd[index[0]]
    return 0.0, (effort - passed_on(values, effort, v)[0]) * v


ELEMENT = ElementKind('load_friction', add, change, value_change, power, add_slopes,
                      positive=frozenset(_SLOTS.values()), is_rare=True)


def by_load(forces: Mapping[str, Any]) -> list[str]:
    """Return the names of the forces that depend on the effort of a drive, a list; by name."""
    return [name for name, force in forces.items() if force.kind == 'load_friction']


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
          points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> tuple[Friction, tuple[Coordinate, ...]]:
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    static, share = read_static(entries, name, value), value['load_share']
    driven = value.get('load_share_driven', share)
    for key, number in (('load_share', share), ('load_share_driven', driven)):
        if not number < 1.0:
            entries.fail(f'forces.{name}.{key}', f'{number:g} must be < 1')
    return Friction(name, 'load_friction', coordinate, (
        value['coulomb'], static, value['viscous'], value['transition_velocity'], share,
        driven)), added


def _element(layout: Any, friction: Friction) -> Element:
    return Element('load_friction', (layout.index(friction.coordinate),
                                     layout.behind.effort(friction.name)), friction.values)


FORCE = ForceKind('load_friction', {
    'description': 'Friction of the drive of a degree of freedom, such as of its gear: of Brown '
                   'and McPhee, and a share of the load that the drive carries.  The load is what '
                   'of the known force on the coordinate is passed on.',
    'required': ['load_share', 'transition_velocity'],
    'properties': ON_TURN | {
        'coulomb': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Dry friction while sliding without a load [N or N m].'},
        'static': {'$ref': '#/$defs/not_negative',
                   'description': 'Its peak at breaking away [N or N m], at least `coulomb`, which '
                                  'is the default.'},
        'viscous': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Viscous friction [N s/m or N m s/rad].'},
        'load_share': {'$ref': '#/$defs/not_negative',
                       'description': 'Dry friction by load, while the drive moves it [0 to 1].'},
        'load_share_driven': {'$ref': '#/$defs/not_negative',
                              'description': 'The same while the load moves the drive [0 to 1]; '
                                             '`load_share` if left out.'},
        'transition_velocity': {
            '$ref': '#/$defs/positive',
            'description': 'Velocity of the peak, below which friction fades out [m/s or rad/s].'}},
}, _read, _element, _SLOTS, {'static': 'coulomb', 'load_share_driven': 'load_share'})
