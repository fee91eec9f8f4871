"""All that is seen of a mechanism in space, in every frame."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.pictures.parts.clip import Clip, Traces, traces_of
from mb_model.pictures.space.bodies import body_parts
from mb_model.pictures.space.joints import joint_parts, spring_parts
from mb_model.pictures.space.part import Part, Places


@dataclass(frozen=True)
class Scene:
    """Parts, paths and names in k frames.

    up: unit vector against gravity (3); floor: below everything, along up [m]; corners (c, 3): of
    boxes around all that is seen [m]; unit: size of symbols [m]; names: body or joint -> where it
    is (k, 3) [m]; traces: of points, body.point.
    """

    parts: list[Part]
    up: FloatArray
    corners: FloatArray
    floor: float
    unit: float
    names: dict[str, FloatArray]
    traces: Traces
    clip: Clip | None = None


def scene_of(mechanism, q, trace=(), clip=None):
    """Return the Scene of a mechanism in space at q (k, n); ValueError for unknown points."""
    gravity = np.linalg.norm(mechanism.gravity)
    up = -mechanism.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, 1.0])
    places = Places(mechanism, q)
    parts = [*body_parts(places), *joint_parts(places, up), *spring_parts(places)]
    corners = np.concatenate([_corners(part) for part in parts])
    traces = _traces(places, trace)
    names = {name: places.of(name, body.centre_of_gravity)
             for name, body in mechanism.bodies.items()}
    names |= {name: places.of(joint.bodies[1], joint.offsets[1])
              for name, joint in mechanism.joints.items()}
    heights = np.array([height for part in parts for height in _heights(part, up)])
    return Scene(parts, up, corners, float(heights.min()), places.unit, names, traces, clip)


def scene_of_clip(clip, trace):
    """Return the Scene of a Clip; trace: points of bodies, as body.point; raises ValueError."""
    return scene_of(clip.run.mechanism, clip.q, trace, clip)


def vertices(part, k):
    """Return the vertices and normals of a part in a frame (v, 3)."""
    track = part.track
    k = min(k, len(track.origin) - 1)
    axes = track.axes[k]
    return track.origin[k] + part.mesh.vertices @ axes.T, part.mesh.normals @ axes.T


def _corners(part):
    """Return the corners of a box around a part in all frames (8, 3)."""
    ends = part.track.origin[:, None] + box_corners(part.mesh.vertices) @ part.track.axes.transpose(
        0, 2, 1)
    return box_corners(ends.reshape(-1, 3))


def box_corners(places):
    """Return the corners of a box around places (p, 3) along the axes (8, 3)."""
    ends = np.stack([places.min(axis=0), places.max(axis=0)], axis=1)
    return np.array(np.meshgrid(*ends)).reshape(3, -1).T


def _heights(part, up):
    """Return how low a part comes, along up."""
    along = part.track.axes.transpose(0, 2, 1) @ up
    lowest = np.array([(part.mesh.vertices @ way).min() for way in along])
    return [(part.track.origin @ up + lowest).min()]


def _traces(places, trace):
    points = {f'{name}.{point}': (name, local) for name, body in places.bodies.items()
              for point, local in body.points.items()}
    return traces_of(points, lambda name: places.of(*points[name]), trace)
