"""A wrench on a body: a force at a point of it and a moment.

index: the body's frame, its origin and three unit vectors; values: offset in the body's frame [m],
force [N], moment [N m], and whether both turn with the body (1) or are in global axes (0).  A body
with unit vectors E_i turns at the angular velocity 1/2 sum E_i x dE_i/dt, so a moment m pushes
E_i by 1/2 m x E_i.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mb_model.constraints.relation import Coordinate
from mb_model.forces.element import ForceKind
from mb_model.jit import kernel
from mb_model.space.body import SpatialBody
from mb_model.space.force import SpatialElement, SpatialElementKind
from mb_model.space.vectors import spread, vector, weighted


@kernel
def _global(model, index, x, y, z, turning, q):
    """Return a vector (x, y, z) of the body or of the ground in global axes, for the frame of q."""
    if turning > 0.0:
        ax, ay, az = vector(model, index[1], q)
        bx, by, bz = vector(model, index[2], q)
        cx, cy, cz = vector(model, index[3], q)
        return x * ax + y * bx + z * cx, x * ay + y * by + z * cy, x * az + y * bz + z * cz
    return x, y, z


@kernel
def add(model, index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    fx, fy, fz = _global(model, index, values[3], values[4], values[5], values[9], q)
    mx, my, mz = _global(model, index, values[6], values[7], values[8], values[9], q)
    spread(model, index[0], fx, fy, fz, Q)
    for axis in range(3):
        offset = values[axis]
        ex, ey, ez = vector(model, index[1 + axis], q)
        spread(model, index[1 + axis], offset * fx + 0.5 * (my * ez - mz * ey),
               offset * fy + 0.5 * (mz * ex - mx * ez), offset * fz + 0.5 * (mx * ey - my * ex), Q)


@kernel
def _work(model, index, values, fx, fy, fz, mx, my, mz, q, e):
    """Return the work of a force and a moment in global axes, with the frame of q, along e."""
    x, y, z = vector(model, index[0], e)
    total = fx * x + fy * y + fz * z
    for axis in range(3):
        offset = values[axis]
        ex, ey, ez = vector(model, index[1 + axis], q)
        x, y, z = vector(model, index[1 + axis], e)
        total += (offset * (fx * x + fy * y + fz * z)
                  + 0.5 * (x * (my * ez - mz * ey) + y * (mz * ex - mx * ez)
                           + z * (mx * ey - my * ex)))
    return total


@kernel
def change(model, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the change dq."""
    turning = values[9]
    mx, my, mz = _global(model, index, values[6], values[7], values[8], turning, q)
    total = _work(model, index, values, 0.0, 0.0, 0.0, mx, my, mz, dq, e)
    if turning > 0.0:
        fx, fy, fz = _global(model, index, values[3], values[4], values[5], turning, dq)
        mx, my, mz = _global(model, index, values[6], values[7], values[8], turning, dq)
        total += _work(model, index, values, fx, fy, fz, mx, my, mz, q, e)
    return total


@kernel
def power(model, index, values, q, qd):
    """Return (driving, lost) power [W]."""
    fx, fy, fz = _global(model, index, values[3], values[4], values[5], values[9], q)
    mx, my, mz = _global(model, index, values[6], values[7], values[8], values[9], q)
    return _work(model, index, values, fx, fy, fz, mx, my, mz, q, qd), 0.0


@kernel
def value_change(model, index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    turning = values[9]
    fx, fy, fz = _global(model, index, values[3], values[4], values[5], turning, q)
    dfx, dfy, dfz = _global(model, index, changes[3], changes[4], changes[5], turning, q)
    dmx, dmy, dmz = _global(model, index, changes[6], changes[7], changes[8], turning, q)
    total = _work(model, index, values, dfx, dfy, dfz, dmx, dmy, dmz, q, e)
    for axis in range(3):
        x, y, z = vector(model, index[1 + axis], e)
        total += changes[axis] * (fx * x + fy * y + fz * z)
    return total


@kernel
def weight_change(model, weights, index, values, q, qd, e):
    """Return e^T dQ for changes of the weights of terms: of the body's origin."""
    fx, fy, fz = _global(model, index, values[3], values[4], values[5], values[9], q)
    x, y, z = weighted(model, weights, index[0], e)
    return fx * x + fy * y + fz * z


ELEMENT = SpatialElementKind('wrench', add, change, value_change, power,
                             weight_change=weight_change)


@dataclass(frozen=True)
class Wrench:
    """A force and a moment on a body; turning: both turn with the body."""

    body: str
    at: tuple[float, float, float] | str = (0.0, 0.0, 0.0)     # in the body's frame [m], or a point
    force: tuple[float, float, float] = (0.0, 0.0, 0.0)        # [N]
    moment: tuple[float, float, float] = (0.0, 0.0, 0.0)       # [N m]
    turning: bool = False
    kind: ClassVar[str] = 'wrench'                             # its ForceKind


def values_of(wrench: Wrench, offset: Sequence[float]) -> tuple[float, ...]:
    """Return the values of the element of a Wrench at an offset in the body's frame (3) [m]."""
    return (*offset, *wrench.force, *wrench.moment, float(wrench.turning))


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Any, points: Any,
          bodies: Mapping[str, SpatialBody]) -> tuple[Wrench, tuple[Coordinate, ...]]:
    path = f'forces.{name}'
    body = bodies[entries.one_of(f'{path}.body', value['body'], bodies, 'body')]
    if 'force' not in value and 'moment' not in value:
        entries.fail(path, 'must have a force: [x, y, z], a moment, or both')
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], body.points, f'point of {body.name}')
    still = (0.0, 0.0, 0.0)
    return Wrench(body.name, value['at'], value.get('force', still), value.get('moment', still),
                  turning=value['axes'] == 'body'), ()


def _element(layout: Any, wrench: Wrench) -> SpatialElement:
    return SpatialElement('wrench', layout.frame(wrench.body), values_of(
        wrench, layout.bodies[wrench.body].local(wrench.at)))


def pushes(wrench: Wrench, values: Any, motions: Any, rates: Any = None) -> list[tuple[Any, ...]]:
    """Return what a Wrench does to its body, see ForceKind."""
    motion = motions[wrench.body]
    turn = motion.rotation if values[9] > 0.0 else np.eye(3)
    return [(wrench.body, motion.position_of(values[:3]), turn @ values[3:6], turn @ values[6:9])]


FORCE = ForceKind('wrench', {
    'description': 'A force at a point of a body, a moment on it, or both.',
    'required': ['body'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The body.'},
        'at': {'$ref': '#/$defs/body_point', 'default': [0.0, 0.0, 0.0],
               'description': "Where, in the body's frame [m] or a point of the body by name."},
        'force': {'$ref': '#/$defs/vector3', 'description': 'The force [N].'},
        'moment': {'$ref': '#/$defs/vector3', 'description': 'The moment [N m].'},
        'axes': {
            'type': 'string', 'title': 'global or body', 'enum': ['global', 'body'],
            'default': 'global',
            'description': 'Axes of both: `global`, or `body` if they turn with the body.'}},
}, _read, _element, {
    f'{key}.{axis}': first + k for key, first in (('at', 0), ('force', 3), ('moment', 6))
    for k, axis in enumerate('xyz')}, pushes=pushes)
