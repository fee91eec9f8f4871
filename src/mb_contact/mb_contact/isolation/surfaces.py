"""Points on the surfaces of bodies, in the plane and in space, where something may touch them."""

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.kind_api import BodyShape

_ROUND = 8             # points around a cylinder
_SPHERE = 4            # times as many points as along a side
_CAP = 2               # likewise on an end of a cylinder
_GOLDEN = pi * (3.0 - sqrt(5.0))      # angle between neighbours of a sunflower
_X, _, _Z = np.eye(3)
_DISC = 4         # times as many points as on a side of a capsule


def solid_surface(solid: Any, per_side: int, joints: FloatArray,
                  line: FloatArray | None) -> tuple[FloatArray, ...]:
    """Return points, inward normals, tangents (k, 3), areas (k), spreads, curvatures (k, 2).

    As in a Surface, but of a Solid.  per_side: points along its longest side; joints (j, 3): of
    its body; line: direction of a slender body.
    """
    make = {'box': _box, 'sphere': _sphere}.get(solid.kind, _cylinder)
    at, outward, tangents, *rest = make(solid, per_side, joints)
    axes, centre = solid.axes, solid.centre
    if line is not None:
        along = solid.axes[:, 2] @ line
        axes = np.array([[0.0, 0.0, along], [1.0, 0.0, 0.0], [0.0, along, 0.0]])
        centre = np.array([solid.centre @ line, 0.0, 0.0])
    return centre + at @ axes.T, -outward @ axes.T, tangents @ axes.T, *rest


def _spread(size: ArrayLike, counts: ArrayLike) -> FloatArray:
    """Return deviations (2) over a patch: a part of a size (2) [m]."""
    return np.asarray(size) / counts / sqrt(12.0)


def _patch(at: FloatArray, outward: FloatArray, tangent: FloatArray, area: float,
           spread: ArrayLike, curvature: ArrayLike = (0.0, 0.0)) -> tuple[FloatArray, ...]:
    """Return all of the patches at (k, 3) of a surface of that area [m^2]."""
    rows = len(at)
    return (at, np.broadcast_to(outward, (rows, 3)), np.broadcast_to(tangent, (rows, 3)),
            np.full(rows, area / rows), np.tile(spread, (rows, 1)), np.tile(curvature, (rows, 1)))


def _together(patches: Sequence[Sequence[FloatArray]]) -> list[FloatArray]:
    return [np.concatenate(part) for part in zip(*patches, strict=True)]


def _box(solid: Any, per_side: int, joints: FloatArray) -> Sequence[FloatArray]:
    """Return the patches in the axes of a box, outward: a grid on each face."""
    size, patches = np.array(solid.size), []
    counts = np.maximum(1, np.round(per_side * size / size.max())).astype(int)
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        grid = np.stack(np.meshgrid(*((np.arange(counts[k]) + 0.5) / counts[k] - 0.5
                                      for k in (i, j))), axis=-1).reshape(-1, 2)
        for side in (-0.5, 0.5):
            at = np.zeros((len(grid), 3))
            at[:, axis], at[:, i], at[:, j] = side * size[axis], *(grid * size[[i, j]]).T
            patches.append(_patch(at, 2.0 * side * np.eye(3)[axis], np.eye(3)[i],
                                  size[i] * size[j], _spread(size[[i, j]], counts[[i, j]])))
    return _together(patches)


def _sphere(solid: Any, per_side: int, joints: FloatArray) -> Sequence[FloatArray]:
    count, (radius, *_) = _SPHERE * per_side, solid.size
    z, angle = 1.0 - 2.0 * (np.arange(count) + 0.5) / count, _GOLDEN * np.arange(count)
    across = np.sqrt(1.0 - z * z)
    outward = np.column_stack([across * np.cos(angle), across * np.sin(angle), z])
    around = np.column_stack([-np.sin(angle), np.cos(angle), np.zeros(count)])
    area = 4.0 * pi * radius ** 2
    return _patch(radius * outward, outward, around, area,
                  2 * [sqrt(area / count / 12.0)], 2 * [1.0 / radius])


def _cylinder(solid: Any, per_side: int, joints: FloatArray) -> Sequence[FloatArray]:
    """Return the same of a cylinder, a tube or a rod along z: its side, and its free ends."""
    radius, length = solid.size[:2]
    count = int(np.clip(round(per_side * length / (2.0 * radius)), 1, per_side))
    angle = np.tile(2.0 * pi * (np.arange(_ROUND) + 0.5) / _ROUND, count)
    heights = np.repeat(length * ((np.arange(count) + 0.5) / count - 0.5), _ROUND)
    outward = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    patches = [_patch(radius * outward + heights[:, None] * _Z, outward, np.cross(_Z, outward),
                      2.0 * pi * radius * length,
                      _spread((2.0 * pi * radius, length), (_ROUND, count)), (1.0 / radius, 0.0))]
    if solid.kind != 'rod':
        patches += [_cap(solid, side, _CAP * per_side) for side in (-0.5, 0.5)
                    if _is_free(solid.centre + side * length * solid.axes[:, 2], joints, radius)]
    return _together(patches)


def _is_free(middle: FloatArray, joints: FloatArray, radius: float) -> bool:
    """Return whether the end of a cylinder has no joint in its middle."""
    return not len(joints) or np.linalg.norm(joints - middle, axis=1).min() > 0.5 * radius


def _cap(solid: Any, side: float, count: int) -> tuple[FloatArray, ...]:
    """Return the same of an end of a cylinder."""
    radius, length = solid.size[:2]
    inner = solid.size[2] if solid.kind == 'tube' else 0.0
    away = np.sqrt(inner ** 2 + (radius ** 2 - inner ** 2) * (np.arange(count) + 0.5) / count)
    angle, area = _GOLDEN * np.arange(count), pi * (radius ** 2 - inner ** 2)
    at = np.column_stack([away * np.cos(angle), away * np.sin(angle),
                          np.full(count, side * length)])
    return _patch(at, 2.0 * side * _Z, _X, area, 2 * [sqrt(area / count / 12.0)])


class Surface(NamedTuple):
    """Points of a surface: offsets (k, 3) [m], inward normals and a tangent (k, 3), areas (k).

    In the body's frame; of a slender body in one whose x is its line.  spreads (k, 2) [m]:
    deviation of what a point stands for, along that tangent and the one across it, 0 where points
    are fine enough; curvatures (k, 2) [1/m]: of the surface along these.
    """

    offsets: np.ndarray
    normals: np.ndarray
    tangents: np.ndarray
    areas: np.ndarray
    spreads: np.ndarray
    curvatures: np.ndarray


def shaped_bodies(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the names of the bodies that have shapes, in the plane or in space."""
    if mechanism.dimension == 2:
        return tuple(mechanism.shapes)
    return tuple(name for name, body in mechanism.bodies.items() if body.shapes)


def surface_of(mechanism: Mechanism, name: str, per_side: int) -> Surface:
    """Return the Surface of a body.

    per_side: points along each side of a long shape.  Round ends, and ends of cylinders where
    joints are, are left out.
    """
    if mechanism.dimension == 2:
        at, normals = (np.column_stack([part, np.zeros(len(part))])
                       for part in _flat_surface(mechanism.shapes[name], per_side))
        none = np.zeros((len(at), 2))
        return Surface(at, normals, np.cross([0.0, 0.0, 1.0], normals), np.ones(len(at)), none,
                       none)
    body, joints = mechanism.bodies[name], joint_offsets(mechanism, name)
    parts = [solid_surface(solid, per_side, joints, body.line if body.slender else None)
             for solid in body.shapes]
    return Surface(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def joint_offsets(mechanism: Mechanism, name: str) -> FloatArray:
    """Return where a body in space has its joints (k, 3) [m]."""
    return np.reshape([local for joint in mechanism.joints.values()
                       for body, local in zip(joint.bodies, joint.offsets, strict=True)
                       if body == name], (-1, 3))


def _flat_surface(shape: BodyShape, per_side: int) -> tuple[FloatArray, FloatArray]:
    """Return points (k, 2) [m] evenly over the surface of a BodyShape, inward normals (k, 2)."""
    ends = np.array(shape.ends, float)
    if shape.is_disc:
        angles = 2.0 * pi * (np.arange(_DISC * per_side) + 0.5) / (_DISC * per_side)
        outward = np.column_stack([np.cos(angles), np.sin(angles)])
        return ends[0] + shape.radius * outward, -outward
    along = (np.arange(per_side) + 0.5)[:, None] / per_side
    middle = ends[0] + along * (ends[1] - ends[0])
    left = _left_of(ends[1] - ends[0])
    return (np.vstack([middle + shape.radius * left, middle - shape.radius * left]),
            np.vstack([np.tile(-left, (per_side, 1)), np.tile(left, (per_side, 1))]))


def _left_of(direction: FloatArray) -> FloatArray:
    """Return the unit vector to the left of a direction (2)."""
    return np.array([-direction[1], direction[0]]) / np.hypot(*direction)
