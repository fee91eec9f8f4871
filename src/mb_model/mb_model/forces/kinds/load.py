"""A load on a body: a force at a point of it and a moment.

index: i, j, the body's first two points; values: offset x, y in the body's frame [m], force [N],
moment [N m], and whether the force turns with the body (1) or is in global axes (0).  With
d = r_j - r_i and n (d turned by +90 degrees) the point is at r_i + (x d + y n) / |d|, linear in the
coordinates but for |d|, which a motion keeps.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import AT, read_body_and_at
from mb_model.forces.element import Element, ElementKind, ForceKind
from mb_model.jit import kernel

_SLOTS = {'at.x': 0, 'at.y': 1, 'force.x': 2, 'force.y': 3, 'moment': 4}


@kernel
def global_force(index, fx, fy, turning, q):
    """Return a force in global axes [N]."""
    if turning > 0.0:
        dx, dy = q[index[1]] - q[index[0]], q[index[1] + 1] - q[index[0] + 1]
        inverse = 1.0 / sqrt(dx * dx + dy * dy)
        return (fx * dx - fy * dy) * inverse, (fx * dy + fy * dx) * inverse
    return fx, fy


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values[2], values[3], values[5], q)
    x, y, couple = values[0] * inverse, values[1] * inverse, values[4] / square
    Q[i] += (1.0 - x) * fx - y * fy + couple * dy
    Q[i + 1] += (1.0 - x) * fy + y * fx - couple * dx
    Q[j] += x * fx + y * fy - couple * dy
    Q[j + 1] += x * fy - y * fx + couple * dx


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the change dq."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    cx, cy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    inverse, stretch = 1.0 / sqrt(square), (dx * cx + dy * cy) / square
    fx, fy = global_force(index, values[2], values[3], values[5], q)
    x, y = values[0] * inverse, values[1] * inverse
    total = -stretch * (x * (fx * ex + fy * ey) + y * (fy * ex - fx * ey))
    total += values[4] / square * (cx * ey - cy * ex - 2.0 * stretch * (dx * ey - dy * ex))
    if values[5] > 0.0:
        gx = (values[2] * cx - values[3] * cy) * inverse - stretch * fx
        gy = (values[2] * cy + values[3] * cx) * inverse - stretch * fy
        total += (gx * e[i] + gy * e[i + 1] + x * (gx * ex + gy * ey) + y * (gy * ex - gx * ey))
    return total


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = qd[j] - qd[i], qd[j + 1] - qd[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values[2], values[3], values[5], q)
    x, y = values[0] * inverse, values[1] * inverse
    return (fx * qd[i] + fy * qd[i + 1] + x * (fx * ex + fy * ey) + y * (fy * ex - fx * ey)
            + values[4] / square * (dx * ey - dy * ex)), 0.0


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for the changes of its values."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values[2], values[3], values[5], q)
    gx, gy = global_force(index, changes[2], changes[3], values[5], q)
    x, y = values[0] * inverse, values[1] * inverse
    return (gx * e[i] + gy * e[i + 1] + x * (gx * ex + gy * ey) + y * (gy * ex - gx * ey)
            + inverse * (changes[0] * (fx * ex + fy * ey) + changes[1] * (fy * ex - fx * ey))
            + changes[4] / square * (dx * ey - dy * ex))


ELEMENT = ElementKind('load', add, change, value_change, power, lines=((0, 1), (0, 1)))


@dataclass(frozen=True)
class Load:
    """A force and a moment on a body; turning: the force turns with the body."""

    body: str
    at: tuple[float, float] | str = (0.0, 0.0)   # in the body's frame [m], or a point's name
    force: tuple[float, float] = (0.0, 0.0)      # [N]
    moment: float = 0.0                          # [N m]
    turning: bool = False
    kind: ClassVar[str] = 'load'               # its ForceKind


def values_of(load: Load, offset: Sequence[float]) -> tuple[float, ...]:
    """Return the values of the element of a Load at an offset in the body's frame (2) [m]."""
    return (*offset, *load.force, load.moment, float(load.turning))


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
          points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> tuple[Load, tuple[Coordinate, ...]]:
    path = f'forces.{name}'
    body, at = read_body_and_at(entries, path, value, bodies)
    if 'force' not in value and 'moment' not in value:
        entries.fail(path, 'must have a force: [x, y], a moment, or both')
    return Load(body.name, at, value.get('force', (0.0, 0.0)), value.get('moment', 0.0),
                turning=value['axes'] == 'body'), ()


def _element(layout: Any, load: Load) -> Element:
    return Element('load', layout.axis(load.body), values_of(load, layout.offset(load)))


FORCE = ForceKind('load', {
    'description': 'A force at a point of a body, a moment on it, or both.',
    'required': ['body'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The body.'},
        'at': AT | {'description': "Where, in the body's frame [m] or a point of the body by "
                                   'name.'},
        'force': {'$ref': '#/$defs/vector', 'description': 'The force [N].'},
        'moment': {'$ref': '#/$defs/number', 'description': 'The moment [N m].'},
        'axes': {
            'type': 'string', 'title': 'global or body', 'enum': ['global', 'body'],
            'default': 'global',
            'description': 'Axes of the force: `global`, or `body` for one that turns with the '
                           'body.'}},
}, _read, _element, _SLOTS)
