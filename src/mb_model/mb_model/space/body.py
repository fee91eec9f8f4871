"""Rigid bodies in space, as a file describes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.beams.spatial_beam import SpatialBeam
from mb_model.space.shape import Solid

GROUND = 'ground'        # the body that does not move: its frame has the global axes

Offset = tuple[float, float, float]


@dataclass(frozen=True)
class Pose:
    """Where a body's frame is: its origin [m], and the rotation matrix from it to global axes."""

    at: FloatArray                       # (3)
    turn: FloatArray                     # (3, 3)

    def of(self, offset: ArrayLike) -> FloatArray:
        """Return the position of a point (3) at an offset in the body's frame (3)."""
        return self.at + self.turn @ np.asarray(offset)

    def then(self, inner: 'Pose') -> 'Pose':
        """Return the pose, in the frame outside, of one that is given in this frame."""
        return Pose(self.of(inner.at), self.turn @ inner.turn)

    def inverse(self) -> 'Pose':
        """Return the pose of the frame outside in this one."""
        return Pose(-self.turn.T @ self.at, self.turn.T)


@dataclass(frozen=True)
class SpatialBody:
    """A body; a slender one is a line, whose rotation about itself is left out.

    The frame of a flexible one floats with it: see beams.spatial_beam.

    pose: near which it starts, None: as its joints put it.
    """

    name: str
    points: dict[str, Offset]            # name -> offset in the body's frame [m]
    mass: float                          # [kg]
    centre_of_gravity: Offset            # in the body's frame [m]
    inertia: FloatArray                  # (3, 3) about the centre of gravity [kg m^2]
    slender: bool = False
    pose: Pose | None = None
    shapes: tuple[Solid, ...] = ()       # what of it is seen
    shaped: bool = False                 # its inertia follows from its shapes
    changeable: bool = False             # its points may be parameters: it shares no nodes
    beam: SpatialBeam | None = None      # of a flexible body
    weighed: bool = True                 # False: the file does not say its mass

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the modal coordinates of a flexible body."""
        return tuple(f'{self.name}.{spring.name}' for spring in (
            self.beam.springs if self.beam else ()))

    @property
    def shortening(self) -> str:
        """Name of the coordinate by which several shapes shorten a flexible body."""
        return f'{self.name}.shortening'

    @property
    def sections(self) -> dict[str, float]:
        """Its cross sections, which are bodies by these names, and where along it they are [m].

        Of a rigid body: none.  The first two are its ends.
        """
        return {f'{self.name}.{point}': offset[0] for point, offset in (
            self.points.items() if self.beam else ())}

    def local(self, at: str | Sequence[float]) -> Offset:
        """Return an offset in its frame [m], given so or by the name of a point."""
        if isinstance(at, str):
            return self.points[at]
        x, y, z = at
        return x, y, z

    @property
    def line(self) -> FloatArray:
        """Direction of a slender body's line in its frame (3): towards the point furthest away."""
        offsets = [np.array(one) for one in (*self.points.values(), self.centre_of_gravity)]
        far = max((offset - offsets[0] for offset in offsets), key=np.linalg.norm)
        return far / np.linalg.norm(far)


TWO_OFFSETS = {'$ref': '#/$defs/two_points',
               'description': 'The point on each, in its frame [m] or by the name of a point.'}


def read_offsets(entries: Any, path: str, value: Any,
                 bodies: Any) -> tuple[tuple[str, ...], tuple[Offset, ...]]:
    """Return (bodies, offsets) of an entry's `bodies` and `at`, see the schema of joints."""
    names, at = entries.names(f'{path}.bodies', value['bodies'], bodies, 'body'), value['at']
    for k, name in enumerate(names):
        one, key = (at, 'at') if isinstance(at, str) else (at[k], f'at[{k}]')
        if isinstance(one, str):
            entries.one_of(f'{path}.{key}', one, bodies[name].points, f'point of {name}')
    pair = (at, at) if isinstance(at, str) else at
    return names, tuple(bodies[name].local(one) for name, one in zip(names, pair, strict=True))
