"""Where the cross sections of flexible bodies are: their axes as they are bent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_poses


def section_poses(mechanism: Any, body: str, x: Sequence[float] | FloatArray, q: ArrayLike
                  ) -> tuple[FloatArray, FloatArray]:
    """Return places (k, p, 3) [m] and rotations (k, p, 3, 3) of sections of a body at q (k, n).

    Without k at q (n).  x: where sections are along the undeformed beam [m].  They are across the
    bent axis, in space turned about it by the twist, see space.joints.sections; in the plane z is
    across it, and places are in z = 0.
    """
    states, described = np.atleast_2d(q), mechanism.bodies[body]
    modes = states[:, mechanism.places(described.modes)].T
    poses = body_poses(mechanism, states)
    origin, axes = poses[body]
    if mechanism.dimension == 2:
        shape, way = described.beam, axes[:, :, 0]
        normal = axes[:, :, 1] / np.linalg.norm(axes[:, :, 1], axis=1, keepdims=True)
        bent, twisted = np.stack([value[:, None] * normal for value in modes], axis=1), 0.0
    else:
        shape, springs = described.beam.shape, described.beam.springs
        way = (poses[list(described.sections)[1]][0] - origin) / shape.length
        bent = np.zeros((len(states), shape.modes, 3))
        for spring, value in zip(springs, modes, strict=True):
            if spring.axis:
                bent[:, spring.number] += value[:, None] * axes[:, :, 'xyz'.index(spring.axis)]
        twist = modes[[not spring.axis for spring in springs]].T
        twisted = (twist @ np.array([described.beam.torsion.twist(at) for at in x]).T)[
            :, :, None] if twist.size else 0.0
    deflection, slope = (np.array([of(at) for at in x])[:, :, None] for of in (
        shape.deflection, shape.slope))
    along = way[:, None] + (slope * bent[:, None]).sum(axis=2)
    third = np.cross(along, axes[:, None, :, 1] + twisted * axes[:, None, :, 2])
    turns = np.stack([along, np.cross(third, along), third], axis=3)
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    places = (origin[:, None] + np.asarray(x)[:, None] * way[:, None]
              + (deflection * bent[:, None]).sum(axis=2))
    return (places, turns) if np.ndim(q) > 1 else (places[0], turns[0])
