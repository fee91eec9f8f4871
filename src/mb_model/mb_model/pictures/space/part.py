"""What a picture in space is made of: parts that move, and how to find where they are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_poses, section_poses
from mb_model.pictures.space.mesh import Mesh
from mb_model.space.body import GROUND
from mb_model.space.shape import Solid

_SYMBOL = 0.012     # size of symbols, in the extent of a mechanism


@dataclass(frozen=True)
class Track:
    """A frame that moves: origins (k, 3) [m] and axes as columns (k, 3, 3), k frames or one.

    A third axis that is no unit vector stretches what moves with it.
    """

    origin: FloatArray
    axes: FloatArray


@dataclass(frozen=True)
class Part:
    """A mesh in one colour that moves with a track; body: what it is of, '' of nothing."""

    mesh: Mesh
    colour: str
    track: Track
    body: str = ''


class Poses:
    """Where the bodies of a mechanism are in k frames, and how large symbols are, `unit` [m]."""

    def __init__(self, mechanism: Any, q: FloatArray) -> None:
        """Find all bodies at q (k, n)."""
        self.mechanism, self.described, self._q = mechanism, mechanism.described, q
        self.bodies = mechanism.bodies
        self.tracks = {name: Track(*pose) for name, pose in body_poses(mechanism, q).items()}
        still = self.tracks[GROUND]
        self.tracks[GROUND] = Track(still.origin[:1], still.axes[:1])
        start = {name: Track(*pose) for name, pose in body_poses(mechanism, mechanism.q0).items()}
        corners = np.concatenate([start[name].origin[0] + self.held(name) @ start[name].axes[0].T
                                  for name in self.bodies])
        self.unit = _SYMBOL * max(np.linalg.norm(np.ptp(corners, axis=0)), 1e-9)

    def held(self, name: str) -> FloatArray:
        """Return what is of interest of a body (p, 3): points, joints, centre, ends of shapes.

        In its frame [m].
        """
        body = self.bodies[name]
        corners = [solid.centre + side * solid.axes @ reach for solid in body.shapes
                   for side in (-1.0, 1.0) for reach in (_reach(solid),)]
        return np.array([*self.nodes(name), np.array(body.centre_of_gravity), *corners])

    def nodes(self, name: str) -> list[FloatArray]:
        """Return the positions (3) of a body's points and joints in its frame [m], each once."""
        nodes = [np.array(node) for node in self.bodies[name].points.values()]
        nodes += [node for joint in self.mechanism.joints.values()
                   for body, node in zip(joint.bodies, joint.offsets, strict=True) if body == name]
        apart = []
        for node in nodes:
            if all(np.linalg.norm(node - other) > 1e-9 for other in apart):
                apart.append(node)
        return apart

    def of(self, body: str, local: ArrayLike) -> FloatArray:
        """Return the position (k, 3) of a point of a body, at `local` (3) in its frame."""
        track = self.tracks[body]
        return track.origin + track.axes @ np.asarray(local)

    def sections(self, body: str, x: FloatArray) -> list[Track]:
        """Return the Tracks of sections of a flexible body at positions along it (p) [m]."""
        positions, turns = section_poses(self.mechanism, body, x, np.atleast_2d(self._q))
        return [Track(positions[:, k], turns[:, k]) for k in range(len(x))]

    def thickness(self, body: str, local: ArrayLike) -> float:
        """Return the radius of the round shape of a body around a point of it (3), else 0."""
        radii = [0.0]
        for solid in self.bodies[body].shapes if body in self.bodies else ():
            if solid.kind == 'sphere':
                continue
            x, y, z = solid.axes.T @ (np.asarray(local) - solid.centre)
            if solid.kind == 'box':
                continue
            radius, length = solid.size[:2]
            if np.hypot(x, y) <= 1.5 * radius and abs(z) <= 0.5 * length + 1.5 * radius:
                radii.append(radius)
        return max(radii)

    def between(self, first: FloatArray, second: FloatArray,
                stretched: float | None = None) -> Track:
        """Return the Track at positions (k, 3), z towards others.

        stretched: their distance where z has length 1 [m].
        """
        line = second - first
        length = np.linalg.norm(line, axis=1, keepdims=True)
        z = line / np.maximum(length, 1e-12)
        aside = np.eye(3)[np.argmin(np.abs(z[0]))]
        x = aside - z * (z @ aside)[:, None]
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        y = np.cross(z, x)
        if stretched is not None:
            z = z * (length / stretched)
        return Track(first, np.stack([x, y, z], axis=2))


def _reach(solid: Solid) -> FloatArray:
    """Return from the middle of a solid to a corner of it, in its axes (3)."""
    if solid.kind == 'box':
        return 0.5 * np.array(solid.size)
    if solid.kind == 'sphere':
        return np.full(3, solid.size[0])
    return np.array([0.0, 0.0, 0.5 * solid.size[1]])
