"""All that is seen of a mechanism in space, in every frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.pictures.parts.clip import Clip, Traces, traces_of
from mb_model.pictures.space.bodies import body_parts
from mb_model.pictures.space.joints import joint_parts, spring_parts
from mb_model.pictures.space.part import Part, Poses


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


def scene_of(mechanism: Any, q: FloatArray, trace: Sequence[str] = (),
             clip: Clip | None = None) -> Scene:
    """Return the Scene of a mechanism in space at q (k, n); ValueError for unknown points."""
    gravity = np.linalg.norm(mechanism.gravity)
    up = -mechanism.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, 1.0])
    poses = Poses(mechanism, q)
    parts = [*body_parts(poses), *joint_parts(poses, up), *spring_parts(poses)]
    corners = np.concatenate([_corners(part) for part in parts])
    traces = _traces(poses, trace)
    names = {name: poses.of(name, body.centre_of_gravity)
             for name, body in mechanism.bodies.items()}
    names |= {name: poses.of(joint.bodies[1], joint.offsets[1])
              for name, joint in mechanism.joints.items()}
    heights = np.array([height for part in parts for height in _heights(part, up)])
    return Scene(parts, up, corners, float(heights.min()), poses.unit, names, traces, clip)


def scene_of_clip(clip: Clip, trace: Sequence[str]) -> Scene:
    """Return the Scene of a Clip; trace: points of bodies, as body.point; raises ValueError."""
    return scene_of(clip.run.mechanism, clip.q, trace, clip)


def vertices(part: Part, k: int) -> tuple[FloatArray, FloatArray]:
    """Return the vertices and normals of a part in a frame (v, 3)."""
    track = part.track
    k = min(k, len(track.origin) - 1)
    axes = track.axes[k]
    return track.origin[k] + part.mesh.vertices @ axes.T, part.mesh.normals @ axes.T


def _corners(part: Part) -> FloatArray:
    """Return the corners of a box around a part in all frames (8, 3)."""
    ends = part.track.origin[:, None] + box_corners(part.mesh.vertices) @ part.track.axes.transpose(
        0, 2, 1)
    return box_corners(ends.reshape(-1, 3))


def box_corners(positions: FloatArray) -> FloatArray:
    """Return the corners of a box around positions (p, 3) along the axes (8, 3)."""
    ends = np.stack([positions.min(axis=0), positions.max(axis=0)], axis=1)
    return np.array(np.meshgrid(*ends)).reshape(3, -1).T


def _heights(part: Part, up: FloatArray) -> list[float]:
    """Return how low a part comes, along up."""
    along = part.track.axes.transpose(0, 2, 1) @ up
    lowest = np.array([(part.mesh.vertices @ direction).min() for direction in along])
    return [(part.track.origin @ up + lowest).min()]


def _traces(poses: Poses, trace: Sequence[str]) -> Traces:
    points = {f'{name}.{point}': (name, local) for name, body in poses.bodies.items()
              for point, local in body.points.items()}
    return traces_of(points, lambda name: poses.of(*points[name]), trace)
