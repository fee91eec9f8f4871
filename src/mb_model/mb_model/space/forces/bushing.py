"""A bushing: springs and dampers between two frames, in three directions and about three axes.

index: the vector from point to point, axes x, y, z of the first body's frame, then of the second's;
values: stiffness (6), damping (6) [N/m, N m/rad, N s/m, N m s/rad].  Deflections are, in the first
frame, the vector d and the turn between the frames:

    f_x = x_1 . d, ...;     f_4 = (z_1 . y_2 - y_1 . z_2) / 2, ...,

the axis of the turn times the sine of its angle.  All are of second degree in the coordinates, and
the energy 1/2 sum k f^2 is exactly what the forces have stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.constraints.relation import Coordinate
from mb_model.forces.element import ForceKind
from mb_model.jit import kernel
from mb_model.space.body import TWO_OFFSETS, Offset, SpatialBody, read_offsets
from mb_model.space.force import SpatialElement, SpatialElementKind
from mb_model.space.rotation import rotation
from mb_model.space.vectors import product, product_change, spread, spread_outer, vector


@kernel
def _mixed(model, index, i, v, w):
    """Return deflection i (0 to 5) with the first vector of each product for v, the other for w."""
    if i < 3:
        return product(model, index[1 + i], index[0], v, w)
    j, k = (i + 1) % 3, (i + 2) % 3
    return 0.5 * (product(model, index[1 + k], index[4 + j], v, w)
                  - product(model, index[1 + j], index[4 + k], v, w))


@kernel
def _along(model, index, i, q, e):
    """Return the derivative of deflection i along e; for two directions: its second derivative."""
    return _mixed(model, index, i, q, e) + _mixed(model, index, i, e, q)


@kernel
def _push(model, index, values, i, q, qd):
    """Return the force against deflection i."""
    return -(values[i] * _mixed(model, index, i, q, q)
             + values[6 + i] * _along(model, index, i, q, qd))


@kernel
def add(model, index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    for i in range(6):
        push = _push(model, index, values, i, q, qd)
        for a, b, sign in _products(index, i):
            if sign != 0.0:
                ax, ay, az = vector(model, a, q)
                bx, by, bz = vector(model, b, q)
                share = sign * push
                spread(model, a, share * bx, share * by, share * bz, Q)
                spread(model, b, share * ax, share * ay, share * az, Q)


@kernel
def _products(index, i):
    """Return both products of vectors a . b of deflection i, with their factors."""
    if i < 3:
        return ((index[1 + i], index[0], 1.0), (index[1 + i], index[0], 0.0))
    j, k = (i + 1) % 3, (i + 2) % 3
    return ((index[1 + k], index[4 + j], 0.5), (index[1 + j], index[4 + k], -0.5))


@kernel
def change(model, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    total = 0.0
    for i in range(6):
        change = -(values[i] * _along(model, index, i, q, dq)
                   + values[6 + i] * (_along(model, index, i, q, dqd)
                                      + _along(model, index, i, dq, qd)))
        total += (change * _along(model, index, i, q, e)
                  + _push(model, index, values, i, q, qd) * _along(model, index, i, dq, e))
    return total


@kernel
def value_change(model, index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    total = 0.0
    for i in range(6):
        total += _push(model, index, changes, i, q, qd) * _along(model, index, i, q, e)
    return total


@kernel
def weight_change(model, weights, index, values, q, qd, e):
    """Return e^T dQ for changes of the weights of terms: of the vector from point to point."""
    total = 0.0
    for i in range(3):
        x, d = index[1 + i], index[0]
        change = -(values[i] * product_change(model, weights, x, d, q, q)
                   + values[6 + i] * (product_change(model, weights, x, d, q, qd)
                                      + product_change(model, weights, x, d, qd, q)))
        total += (change * _along(model, index, i, q, e)
                  + _push(model, index, values, i, q, qd) * (
                      product_change(model, weights, x, d, q, e)
                      + product_change(model, weights, x, d, e, q)))
    return total


@kernel
def power(model, index, values, q, qd):
    """Return (driving, lost) power [W]."""
    lost = 0.0
    for i in range(6):
        rate = _along(model, index, i, q, qd)
        lost += values[6 + i] * rate * rate
    return 0.0, lost


@kernel
def energy(model, index, values, q):
    """Return the energy stored [J]."""
    total = 0.0
    for i in range(6):
        deflection = _mixed(model, index, i, q, q)
        total += 0.5 * values[i] * deflection * deflection
    return total


@kernel
def add_slopes(model, index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping to out: of each deflection along its gradient."""
    for i in range(6):
        weight = stiffness_share * values[i] + damping_share * values[6 + i]
        if weight == 0.0:
            continue
        for a, b, sign in _products(index, i):
            if sign != 0.0:
                for c, d, other in _products(index, i):
                    if other != 0.0:
                        both = weight * sign * other
                        spread_outer(model, a, vector(model, b, q), c, vector(model, d, q), both,
                                     out)
                        spread_outer(model, a, vector(model, b, q), d, vector(model, c, q), both,
                                     out)
                        spread_outer(model, b, vector(model, a, q), c, vector(model, d, q), both,
                                     out)
                        spread_outer(model, b, vector(model, a, q), d, vector(model, c, q), both,
                                     out)


ELEMENT = SpatialElementKind('bushing', add, change, value_change, power, add_slopes,
                             weight_change, energy)


@dataclass(frozen=True)
class Bushing:
    """Springs and dampers between frames of two bodies."""

    bodies: tuple[str, ...]
    offsets: tuple[Offset, ...]
    turns: tuple[FloatArray, FloatArray]         # from the frames to the bodies' (3, 3)
    stiffness: tuple[float, ...]                 # (6)
    damping: tuple[float, ...]                   # (6)
    kind: ClassVar[str] = 'bushing'              # its ForceKind


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Any, points: Any,
          bodies: Mapping[str, SpatialBody]) -> tuple[Bushing, tuple[Coordinate, ...]]:
    path = f'forces.{name}'
    on, offsets = read_offsets(entries, path, value, bodies)
    for body in on:
        if bodies[body].slender:
            entries.fail(f'{path}.bodies', f'{body} is slender: it has no directions across its '
                                           'line')
    for key in ('stiffness', 'damping'):
        for number in value[key]:
            if number < 0.0:
                entries.fail(f'{path}.{key}', f'{list(value[key])} must be six numbers >= 0')
    turns = tuple(rotation(turn) for turn in value['turns'])
    return Bushing(on, offsets, turns, value['stiffness'], value['damping']), ()


def _element(layout: Any, bushing: Bushing) -> SpatialElement:
    first, second = (layout.point(body, offset) for body, offset in zip(
        bushing.bodies, bushing.offsets, strict=True))
    axes = [layout.vector(layout.direction(body, axis)) for body, turn in zip(
        bushing.bodies, bushing.turns, strict=True) for axis in turn.T]
    return SpatialElement('bushing', (layout.vector(layout.difference(second, first)), *axes),
                          (*bushing.stiffness, *bushing.damping))


def _pushes(bushing: Bushing, values: FloatArray, motions: Mapping[str, Any],
            rates: Mapping[str, float]) -> list[tuple[Any, ...]]:
    """Return what it does to both bodies, see ForceKind."""
    first, second = (motions[body] for body in bushing.bodies)
    one, other = (motion.rotation @ turn
                  for motion, turn in zip((first, second), bushing.turns, strict=True))
    here, there = (motion.position_of(offset)
                   for motion, offset in zip((first, second), bushing.offsets, strict=True))
    speeds = [motion.velocity_of(offset)
              for motion, offset in zip((first, second), bushing.offsets, strict=True)]
    apart = there - here
    drift = speeds[1] - speeds[0] - np.cross(first.angular_velocity, apart)
    push = -one @ (values[:3] * (one.T @ apart) + values[6:9] * (one.T @ drift))
    spin = second.angular_velocity - first.angular_velocity
    moment, turned = np.zeros(3), np.cross(spin, other.T).T
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        sine = 0.5 * (one[:, k] @ other[:, j] - one[:, j] @ other[:, k])
        rate = 0.5 * (one[:, k] @ turned[:, j] - one[:, j] @ turned[:, k])
        along = 0.5 * (np.cross(other[:, j], one[:, k]) - np.cross(other[:, k], one[:, j]))
        moment -= (values[3 + i] * sine + values[9 + i] * rate) * along
    return [(bushing.bodies[1], there, push, moment), (bushing.bodies[0], there, -push, -moment)]


_SIX = {'type': 'array', 'title': 'six numbers', 'items': {'$ref': '#/$defs/number'},
        'minItems': 6, 'maxItems': 6}

FORCE = ForceKind('bushing', {
    'description': 'A bushing: springs and dampers between two frames, along x, y, z of the first '
                   "body's frame and about them; about an axis they act on the sine of the turn.",
    'required': ['bodies', 'at', 'stiffness'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'The bodies; ground is one.'},
        'at': TWO_OFFSETS,
        'turns': {'$ref': '#/$defs/two_vectors', 'default': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
                  'description': 'How the frame of the bushing is turned in each body, rotation '
                                 'vectors [rad]; at rest both agree.'},
        'stiffness': _SIX | {'description': 'Along x, y, z [N/m], about x, y, z [N m/rad].'},
        'damping': _SIX | {'default': 6 * [0.0],
                           'description': 'The same of the dampers [N s/m, N m s/rad].'}},
}, _read, _element, {f'{key}.{k}': first + k for key, first in (('stiffness', 0), ('damping', 6))
                     for k in range(6)}, pushes=_pushes)
