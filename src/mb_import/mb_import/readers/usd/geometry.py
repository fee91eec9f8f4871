"""Primitives of USD as solids in the frame of a body."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_import.machine import Shape
from mb_import.readers.usd.stage import Stage
from mb_import.readers.usd.values import number, word
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose

# Columns: which of a solid's axes x, y, z is which of the prim's, so that its own is along z
_TO_Z = {'X': np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
         'Y': np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]), 'Z': np.eye(3)}
_ROUND = 1e-3                # of scales that agree


@dataclass(frozen=True)
class Solid:
    """A primitive; kinds and sizes [m]: see mb_import.solids, and mesh; pose: in the body."""

    kind: str
    size: tuple[float, ...]
    pose: Pose
    mesh: str = ''

    @property
    def shape(self) -> Shape | None:
        """What of it is seen; None for a kind that has no picture."""
        if self.kind in ('cone', 'ellipsoid'):
            return None
        return Shape(self.kind, self.size, self.pose, self.mesh)


def read_solid(prim: Any, stage: Stage, home: Pose) -> Solid | None:
    """Return the Solid of a prim, None if it is none; home: pose of its body in the world.

    Raises MechanismError.
    """
    type_ = str(prim.GetTypeName()).partition('_')[0]
    if type_ not in ('Cube', 'Sphere', 'Cylinder', 'Capsule', 'Cone', 'Mesh'):
        return None
    pose, scales = stage.pose(prim)
    scales, inner = np.abs(scales), home.inverse().then(pose)
    if type_ == 'Mesh':
        return Solid('mesh', (), inner, str(prim.GetPath()))
    if type_ == 'Cube':
        edge = _positive(prim, 'size', stage, 2.0)
        return Solid('box', tuple(float(one) for one in edge * scales), inner)
    radius = _positive(prim, 'radius', stage,
                       number(prim, 'radiusBottom', stage, 1.0))     # of Cylinder_1, Capsule_1
    if type_ == 'Sphere':
        radii = tuple(float(one) for one in radius * scales)
        if max(radii) - min(radii) > _ROUND * max(radii):
            return Solid('ellipsoid', radii, inner)
        return Solid('sphere', radii[:1], inner)
    axis = word(prim, 'axis', 'Z')
    to_z: FloatArray = _TO_Z.get(axis, _TO_Z['Z'])
    first, second, along = to_z.T @ scales
    if abs(first - second) > _ROUND * first:
        stage.notes.changed(str(prim.GetPath()), 'is not round: taken as the mean of its radii')
    length = _positive(prim, 'height', stage, 2.0 if type_ != 'Capsule' else 1.0)
    return Solid(type_.lower(), (float(0.5 * radius * (first + second)), float(length * along)),
                 Pose(inner.at, inner.turn @ to_z))


def _positive(prim: Any, name: str, stage: Stage, default: float) -> float:
    """Return an attribute that is > 0."""
    value = number(prim, name, stage, default)
    if not value > 0.0:
        raise stage.notes.error(f'{prim.GetPath()}: {name}', f'{value:g} must be > 0')
    return value

