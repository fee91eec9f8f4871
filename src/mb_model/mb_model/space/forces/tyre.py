"""A tyre on a flat road: it carries the wheel, and pushes along and across.

index: the wheel's centre, its three unit vectors, its axis, and with a relaxation length the index
of a coordinate whose rate is the deflection y of the carcass (see forces.kinds.relaxed_tyre: its
inertia is C_y / sigma); values: see space.tyre_contact.  The force acts at the contact, so the
power that it takes from the wheel is lost or stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.constraints.relation import Coordinate
from mb_model.forces.element import ForceKind
from mb_model.jit import kernel
from mb_model.space.body import Offset, SpatialBody
from mb_model.space.force import SpatialElement, SpatialElementKind
from mb_model.space.rotation import unit
from mb_model.space.tyre_contact import UNMOVED, ZERO, contact, deflection_of
from mb_model.space.vectors import (
    cross,
    dot,
    plus,
    spread,
    spread_outer,
    times,
    turning,
    vector,
    weighted,
)

_SLOTS = {'radius': 0, 'stiffness': 1, 'damping': 2, 'cornering_stiffness': 3,
          'slip_stiffness': 4, 'friction': 5, 'standstill_speed': 6, 'road_height': 10,
          'relaxation_length': 11}
_STILL = (ZERO, ZERO, ZERO, ZERO, 0.0)
_STATE = 5          # slot of the coordinate of the carcass in an index


@kernel
def _deflection(index, values, qd):
    """Return the deflection of the carcass, 0 without one, for rates qd or their change."""
    return qd[index[_STATE]] if values[11] > 0.0 else 0.0


@kernel
def _state(model, index, values, q, qd):
    """Return centre, its velocity, axis and angular velocity of the wheel, deflection."""
    return (vector(model, index[0], q), vector(model, index[0], qd), vector(model, index[4], q),
            turning(model, index, q, qd), _deflection(index, values, qd))


@kernel
def _work(model, index, values, q, force, moment, give, e):
    """Return the work along e of force and moment on the wheel, and of y' = give on the carcass."""
    return (dot(force, vector(model, index[0], e)) + dot(moment, turning(model, index, q, e))
            + values[12] * give * _deflection(index, values, e))


@kernel
def add(model, index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    force, _, arm, _, give, _, _, _, _, _ = contact(
        values, UNMOVED, _state(model, index, values, q, qd), _STILL)
    moment = cross(arm, force)
    spread(model, index[0], force[0], force[1], force[2], Q)
    for axis in range(1, 4):
        x, y, z = times(0.5, cross(moment, vector(model, index[axis], q)))
        spread(model, index[axis], x, y, z, Q)
    if values[11] > 0.0:
        Q[index[_STATE]] += values[12] * give


@kernel
def change(model, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    moves = (vector(model, index[0], dq), vector(model, index[0], dqd),
             vector(model, index[4], dq),
             plus(turning(model, index, dq, qd), turning(model, index, q, dqd), 1.0),
             _deflection(index, values, dqd))
    force, dforce, arm, darm, _, dgive, _, _, _, _ = contact(
        values, UNMOVED, _state(model, index, values, q, qd), moves)
    dmoment = plus(cross(arm, dforce), cross(darm, force), 1.0)
    return (_work(model, index, values, q, dforce, dmoment, dgive, e)
            + dot(cross(arm, force), turning(model, index, dq, e)))


@kernel
def value_change(model, index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values; the inertia of the carcass stays."""
    force, dforce, arm, darm, _, dgive, _, _, _, _ = contact(
        values, changes, _state(model, index, values, q, qd), _STILL)
    dmoment = plus(cross(arm, dforce), cross(darm, force), 1.0)
    return _work(model, index, values, q, dforce, dmoment, dgive, e)


@kernel
def weight_change(model, weights, index, values, q, qd, e):
    """Return e^T dQ for changes of the weights of terms: of the wheel's centre."""
    moves = (weighted(model, weights, index[0], q), weighted(model, weights, index[0], qd),
             ZERO, ZERO, 0.0)
    force, dforce, arm, darm, _, dgive, _, _, _, _ = contact(
        values, UNMOVED, _state(model, index, values, q, qd), moves)
    dmoment = plus(cross(arm, dforce), cross(darm, force), 1.0)
    return (_work(model, index, values, q, dforce, dmoment, dgive, e)
            + dot(force, weighted(model, weights, index[0], e)))


@kernel
def power(model, index, values, q, qd):
    """Return (driving, lost) power [W]; what the carcass holds is kinetic."""
    state = _state(model, index, values, q, qd)
    force, _, arm, _, give, _, stored, _, _, _ = contact(values, UNMOVED, state, _STILL)
    return 0.0, (-dot(force, plus(state[1], cross(state[3], arm), 1.0)) - stored
                 - values[12] * give * state[4])


@kernel
def energy(model, index, values, q):
    """Return the energy stored [J]."""
    deflection = deflection_of(values, vector(model, index[0], q), vector(model, index[4], q))
    return 0.5 * values[1] * deflection * deflection


@kernel
def add_slopes(model, index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping to out: of the contact along, across and upwards."""
    state = _state(model, index, values, q, qd)
    _, _, arm, _, _, _, _, share, speed, cosine = contact(values, UNMOVED, state, _STILL)
    if values[11] > 0.0:
        p = index[_STATE]
        out[p, p] += damping_share * values[12] * speed / values[11]
    if share == 0.0:
        return
    n = (values[7], values[8], values[9])
    along = times(1.0 / cosine, cross(state[2], n))
    upwards = (stiffness_share * values[1] + damping_share * values[2]) / (cosine * cosine)
    slip = damping_share * share / speed
    _add_outer(model, index, q, n, arm, upwards, out)
    _add_outer(model, index, q, along, arm, slip * values[4], out)
    if values[11] == 0.0:
        _add_outer(model, index, q, cross(n, along), arm, slip * values[3], out)


@kernel
def _add_outer(model, index, q, direction, arm, weight, out):
    """Add weight times g g^T to out, g the gradient of a motion of the contact in a direction."""
    if weight == 0.0:
        return
    moment = cross(arm, direction)
    for i in range(4):
        first = direction if i == 0 else times(0.5, cross(moment, vector(model, index[i], q)))
        for j in range(4):
            second = direction if j == 0 else times(
                0.5, cross(moment, vector(model, index[j], q)))
            spread_outer(model, index[i], first, index[j], second, weight, out)


ELEMENT = SpatialElementKind('tyre', add, change, value_change, power, add_slopes,
                             weight_change, energy)


@dataclass(frozen=True)
class SpatialTyre:
    """A tyre of a wheel that turns about an axis of its body, on a flat road."""

    body: str
    at: Offset                           # the wheel's centre, in the body's frame [m]
    axis: tuple[float, float, float]     # to the left of a wheel that rolls ahead
    normal: tuple[float, float, float]   # of the road, upwards
    values: tuple[float, ...]            # of its element
    carcass: str = ''                    # the coordinate whose rate is its deflection
    kind: ClassVar[str] = 'tyre'         # its ForceKind


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Any, points: Any,
          bodies: Mapping[str, SpatialBody]) -> tuple[SpatialTyre, tuple[Coordinate, ...]]:
    path = f'forces.{name}'
    body = bodies[entries.one_of(f'{path}.body', value['body'], bodies, 'body')]
    if body.slender:
        entries.fail(f'{path}.body', f'{body.name} is slender: a wheel turns about its axis')
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], body.points, f'point of {body.name}')
    for key in ('axis', 'road_normal'):
        if not np.linalg.norm(value[key]) > 0.0:
            entries.fail(f'{path}.{key}', f'{list(value[key])} is no direction')
    normal = unit(value['road_normal'])
    numbers = {slot: value.get(key, 0.0) for key, slot in _SLOTS.items()}
    numbers |= {7 + axis: float(part) for axis, part in enumerate(normal)}
    length, added = numbers[11], ()
    numbers[12] = numbers[3] / length if length else 0.0
    if length:
        added = Coordinate(f'{name}.carcass', 'carcass', 'm', inertia=numbers[12]),
    return SpatialTyre(body.name, body.local(value['at']), tuple(unit(value['axis']).tolist()),
                       tuple(normal.tolist()), tuple(numbers[k] for k in range(13)),
                       added[0].name if added else ''), added


def _element(layout: Any, tyre: SpatialTyre) -> SpatialElement:
    centre, axis = (layout.vector(terms) for terms in (
        layout.point(tyre.body, tyre.at), layout.direction(tyre.body, tyre.axis)))
    return SpatialElement('tyre', (centre, *layout.frame(tyre.body)[1:], axis), tyre.values,
                          (layout.index(tyre.carcass),) if tyre.carcass else ())


def _pushes(tyre: SpatialTyre, values: FloatArray, motions: Mapping[str, Any],
            rates: Mapping[str, float]) -> list[tuple[Any, ...]]:
    """Return what it does to the wheel, see ForceKind."""
    motion = motions[tyre.body]
    spin, centre = motion.angular_velocity, motion.position_of(tyre.at)
    speed = motion.velocity_of(tyre.at)
    state = *(tuple(one.tolist()) for one in (
        centre, speed, motion.rotation @ tyre.axis, spin)), rates.get(tyre.carcass, 0.0)
    force, _, arm, *_ = contact(values, UNMOVED, state, _STILL)
    return [(tyre.body, centre + arm, np.array(force), np.zeros(3))]


FORCE = ForceKind('tyre', {
    'description': 'A tyre on a flat road: it carries the wheel, and pushes along and across by '
                   "its slips, linear in them, or by Fiala's curve for both together.",
    'required': ['body', 'radius', 'stiffness', 'cornering_stiffness'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The wheel, which turns.'},
        'at': {'$ref': '#/$defs/body_point', 'default': [0.0, 0.0, 0.0],
               'description': "The wheel's centre, in the body's frame [m] or a point of the body "
                              'by name.'},
        'axis': {'$ref': '#/$defs/vector3', 'default': [0.0, 1.0, 0.0],
                 'description': "The wheel's axis in the body's frame, to the left of a wheel that "
                                'rolls ahead.'},
        'radius': {'$ref': '#/$defs/positive', 'description': 'Of the tyre without load [m].'},
        'stiffness': {'$ref': '#/$defs/positive', 'description': 'Of the tyre, radial [N/m].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Of the tyre, radial [N s/m].'},
        'cornering_stiffness': {'$ref': '#/$defs/positive',
                                'description': 'Force by slip angle, at small ones [N/rad].'},
        'slip_stiffness': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                           'description': 'Force along the wheel by slip, at small ones [N].'},
        'friction': {'$ref': '#/$defs/positive',
                     'description': 'Of the tyre on the road: the force of one that slides by its '
                                    "load, of Fiala's curve; without it the tyre is linear."},
        'standstill_speed': {
            '$ref': '#/$defs/positive', 'default': 0.5,
            'description': 'Speed below which slips fade out [m/s].'},
        'relaxation_length': {
            '$ref': '#/$defs/positive',
            'description': 'Travel along which the force across follows the slip [m]; without it '
                           'there is none. The deflection of the carcass is the rate of a '
                           'coordinate that it adds, called after it with .carcass behind.'},
        'road_normal': {'$ref': '#/$defs/vector3', 'default': [0.0, 0.0, 1.0],
                        'description': 'Of the road, upwards.'},
        'road_height': {'$ref': '#/$defs/number', 'default': 0.0,
                        'description': 'Of the road, along its normal [m].'}},
}, _read, _element, _SLOTS, optional=frozenset({'friction', 'relaxation_length'}), pushes=_pushes)
