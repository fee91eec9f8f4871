"""Closed positions that equations of a mechanism in space allow, but no machine does.

Equations hold vectors of frames: a body may be mirrored, and an axis that is held across two others
may point backwards.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.joint_closures import aligned_axes
from mb_model.space.body import GROUND
from mb_model.space.joint import Joint


class Flips:
    """Finds mirrored bodies and joints that point backwards; slender bodies have no frame.

    model: the record of a mechanism in space; bodies, joints: by name.
    """

    def __init__(self, model: RecordArray, bodies: Mapping[str, Any],
                 joints: Mapping[str, Joint]) -> None:
        record, n = model[0], int(model['n'][0])
        frames = record['solid_frame'][:len(bodies)]
        self._names = [name for name, frame in zip(bodies, frames, strict=True) if frame[-1] >= 0]
        axes = [vector for frame in frames if frame[-1] >= 0 for vector in frame[1:]]
        terms = [range(*record['vector_terms'][vector:vector + 2]) for vector in axes]
        nodes = sorted({int(record['term_node'][k]) for vector in terms for k in vector
                        if record['term_node'][k] < n})
        self._nodes = np.array(nodes, dtype=np.int64)[:, None] + np.arange(3)
        self._weights = np.zeros((len(axes), len(nodes)))
        self._fixed = np.zeros((len(axes), 3))
        for row, vector in enumerate(terms):
            for k in vector:
                node, weight = int(record['term_node'][k]), record['term_weight'][k]
                if node < n:
                    self._weights[row, nodes.index(node)] += weight
                else:
                    self._fixed[row] += weight * record['fixed'][node:node + 3]
        number = {name: k for k, name in enumerate([*self._names, GROUND])}
        alike = [(joint, axis) for joint in joints.values() if {*joint.bodies} <= {*number}
                 for axis in aligned_axes(joint)]
        self._joints = [joint.name for joint, _ in alike]
        self._sides = [(np.array([number[joint.bodies[side]] for joint, _ in alike], np.int64),
                        np.array([joint.frames[side][:, axis] for joint, axis in alike]
                                 ).reshape(-1, 3)) for side in (0, 1)]

    def mirrored(self, q: ArrayLike) -> list[str]:
        """Return the names of bodies whose frames are left-handed at q (n)."""
        return self._mirrored(self._axes(q))

    def at(self, q: ArrayLike) -> list[str]:
        """Return in words which bodies are mirrored, and which joints point backwards, at q (n)."""
        axes = self._axes(q)
        frames = np.concatenate([axes, np.eye(3)[None]])
        first, second = (np.einsum('ki,kij->kj', along, frames[bodies])
                         for bodies, along in self._sides)
        back = (first * second).sum(axis=1) < 0.0
        joints = dict.fromkeys(name for name, is_back in zip(self._joints, back, strict=True)
                               if is_back)
        return [*(f'bodies.{name} is mirrored' for name in self._mirrored(axes)),
                *(f'joints.{name} points backwards' for name in joints)]

    def _axes(self, q: ArrayLike) -> FloatArray:
        """Return the axes (k, 3, 3) of bodies with a frame, one a row, in global axes."""
        return np.asarray(self._weights @ np.asarray(q)[self._nodes] + self._fixed).reshape(
            -1, 3, 3)

    def _mirrored(self, axes: FloatArray) -> list[str]:
        left = np.linalg.det(axes) < 0.0
        return [name for name, is_left in zip(self._names, left, strict=True) if is_left]
