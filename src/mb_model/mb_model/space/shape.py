"""Shapes of bodies in space: what is seen of them, and the mass properties that they give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.rotation import across, unit


@dataclass(frozen=True)
class Solid:
    """A shape in a body's frame: its middle [m], axes as columns x, y, z, and its size.

    kind 'box': size is its edges (3); 'cylinder' along z: radius, length; 'tube': outer radius,
    length, inner radius; 'sphere': radius; 'rod' along z: radius of what is seen, length.
    """

    kind: str
    centre: FloatArray                   # (3)
    axes: FloatArray                     # (3, 3)
    size: tuple[float, ...]              # [m]

    @property
    def unit_inertia(self) -> FloatArray:
        """Its inertia about its middle in the body's frame, over its mass (3, 3) [m^2]."""
        return self.axes @ np.diag(_MOMENTS[self.kind](*self.size)) @ self.axes.T


def _box(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (y * y + z * z) / 12.0, (x * x + z * z) / 12.0, (x * x + y * y) / 12.0


def _tube(radius: float, length: float, inner: float = 0.0) -> tuple[float, float, float]:
    square = radius * radius + inner * inner
    side = square / 4.0 + length * length / 12.0
    return side, side, square / 2.0


def _sphere(radius: float) -> tuple[float, ...]:
    return 3 * (0.4 * radius * radius,)


def _rod(radius: float, length: float) -> tuple[float, float, float]:
    return length * length / 12.0, length * length / 12.0, 0.0


_MOMENTS = {'box': _box, 'cylinder': _tube, 'tube': _tube, 'sphere': _sphere, 'rod': _rod}

_ENDS = {'from': {'$ref': '#/$defs/body_point', 'description':
                  "One end, in the body's frame [m] or a point of the body by name."},
         'to': {'$ref': '#/$defs/body_point', 'description': 'The other end.'}}
_RADIUS = {'$ref': '#/$defs/positive', 'description': 'Radius [m].'}


def _alternative(kind: str, description: str, required: list[str],
                 properties: dict[str, Any]) -> dict[str, Any]:
    return {'description': description, 'required': ['kind', *required],
            'additionalProperties': False, 'properties': {'kind': {'const': kind}} | properties}


SCHEMA = [
    _alternative('box', "A box with edges along the body's axes, or turned.", ['size'], {
        'size': {'$ref': '#/$defs/vector3', 'description': 'Its edges [m].'},
        'at': {'$ref': '#/$defs/body_point', 'default': [0.0, 0.0, 0.0],
               'description': 'Its middle.'},
        'turn': {'$ref': '#/$defs/vector3', 'default': [0.0, 0.0, 0.0],
                 'description': 'How it is turned, a rotation vector [rad].'}}),
    _alternative('sphere', 'A ball.', ['radius'], {
        'radius': _RADIUS, 'at': {'$ref': '#/$defs/body_point', 'default': [0.0, 0.0, 0.0],
                                  'description': 'Its middle.'}}),
    _alternative('cylinder', 'A cylinder between two points.', ['from', 'to', 'radius'],
                 _ENDS | {'radius': _RADIUS}),
    _alternative('tube', 'A hollow cylinder between two points.',
                 ['from', 'to', 'radius', 'inner_radius'], _ENDS | {
                     'radius': _RADIUS, 'inner_radius': {
                         '$ref': '#/$defs/positive', 'description': 'Radius of its hole [m].'}}),
    _alternative('rod', 'A thin rod between two points, without inertia about its line.',
                 ['from', 'to'], _ENDS | {
                     'radius': {'$ref': '#/$defs/positive', 'default': 0.01,
                                'description': 'Radius of what is seen of it [m].'}})]


def read_solid(entries: Any, path: str, value: dict[str, Any],
               points: Mapping[str, Sequence[float]],
               rotation: Callable[[Any], FloatArray]) -> Solid:
    """Return the Solid of an entry that conforms to SCHEMA; points: name -> offset.

    rotation: the function that makes a matrix of a rotation vector.
    """
    def point(key: str) -> FloatArray:
        at = value[key]
        if isinstance(at, str):
            at = points[entries.one_of(f'{path}.{key}', at, points, 'point of the body')]
        return np.array(at)

    kind = value['kind']
    if kind == 'box':
        if min(value['size']) <= 0.0:
            entries.fail(f'{path}.size', f'{list(value["size"])} must be three numbers > 0')
        return Solid(kind, point('at'), rotation(value['turn']), tuple(value['size']))
    if kind == 'sphere':
        return Solid(kind, point('at'), np.eye(3), (value['radius'],))
    first, second = point('from'), point('to')
    length = float(np.linalg.norm(second - first))
    if not length > 0.0:
        entries.fail(f'{path}.to', 'is the same point as from')
    z = unit(second - first)
    x = across(z)
    size = (value['radius'], length)
    if kind == 'tube':
        if value['inner_radius'] >= value['radius']:
            entries.fail(f'{path}.inner_radius',
                         f'{value["inner_radius"]:g} must be < {value["radius"]:g}, the radius')
        size = (*size, value['inner_radius'])
    return Solid(kind, 0.5 * (first + second), np.column_stack([x, np.cross(z, x), z]), size)
