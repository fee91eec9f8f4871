"""Bodies of mechanisms in space that are mirrored: vectors of a frame allow it, no body does."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import RecordArray


class MirroredBodies:
    """Finds those with a left-handed frame; slender bodies have none.

    model: the record of a mechanism in space, bodies: by name.
    """

    def __init__(self, model: RecordArray, bodies: Mapping[str, Any]) -> None:
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

    def at(self, q: ArrayLike) -> list[str]:
        """Return the names of bodies that are mirrored at q (n)."""
        axes = self._weights @ np.asarray(q)[self._nodes] + self._fixed
        left = np.linalg.det(axes.reshape(-1, 3, 3)) < 0.0
        return [name for name, is_left in zip(self._names, left, strict=True) if is_left]
