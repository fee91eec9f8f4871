"""What a picture in space is made of: parts that move, and how to find where they are."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_poses, section_poses
from mb_model.pictures.space.mesh import Mesh
from mb_model.space.body import GROUND

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


class Places:
    """Where the bodies of a mechanism are in k frames, and how large symbols are, `unit` [m]."""

    def __init__(self, mechanism, q):
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

    def held(self, name):
        """Return the places of a body that are of interest (p, 3): points, joints, centre, shapes.

        In its frame [m].
        """
        body = self.bodies[name]
        corners = [solid.centre + side * solid.axes @ reach for solid in body.shapes
                   for side in (-1.0, 1.0) for reach in (_reach(solid),)]
        return np.array([*self.nodes(name), np.array(body.centre_of_gravity), *corners])

    def nodes(self, name):
        """Return the places (3) of a body's points and joints in its frame [m], each once."""
        places = [np.array(place) for place in self.bodies[name].points.values()]
        places += [place for joint in self.mechanism.joints.values()
                   for body, place in zip(joint.bodies, joint.offsets, strict=True) if body == name]
        found = []
        for place in places:
            if all(np.linalg.norm(place - other) > 1e-9 for other in found):
                found.append(place)
        return found

    def of(self, body, place):
        """Return where a place of a body's frame (3) is (k, 3)."""
        track = self.tracks[body]
        return track.origin + track.axes @ np.asarray(place)

    def sections(self, body, x):
        """Return the Tracks of sections of a flexible body at places along it (p) [m]."""
        places, turns = section_poses(self.mechanism, body, x, np.atleast_2d(self._q))
        return [Track(places[:, k], turns[:, k]) for k in range(len(x))]

    def thickness(self, body, place):
        """Return the radius of the round shape of a body that a place (3) of it is in, else 0."""
        radii = [0.0]
        for solid in self.bodies[body].shapes if body in self.bodies else ():
            if solid.kind == 'sphere':
                continue
            x, y, z = solid.axes.T @ (np.asarray(place) - solid.centre)
            if solid.kind == 'box':
                continue
            radius, length = solid.size[:2]
            if np.hypot(x, y) <= 1.5 * radius and abs(z) <= 0.5 * length + 1.5 * radius:
                radii.append(radius)
        return max(radii)

    def between(self, first, second, stretched=None):
        """Return the Track at places (k, 3), z towards others; stretched: z of length 1 there [m].
        """
        way = second - first
        length = np.linalg.norm(way, axis=1, keepdims=True)
        z = way / np.maximum(length, 1e-12)
        aside = np.eye(3)[np.argmin(np.abs(z[0]))]
        x = aside - z * (z @ aside)[:, None]
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        y = np.cross(z, x)
        if stretched is not None:
            z = z * (length / stretched)
        return Track(first, np.stack([x, y, z], axis=2))


def _reach(solid):
    """Return from the middle of a solid to a corner of it, in its axes (3)."""
    if solid.kind == 'box':
        return 0.5 * np.array(solid.size)
    if solid.kind == 'sphere':
        return np.full(3, solid.size[0])
    return np.array([0.0, 0.0, 0.5 * solid.size[1]])
