"""The problem of a graph that users compose: when its nodes are found, and whether they can be."""

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import Iterate, Problem
from mb_estimators.filter import DivergenceError
from mb_estimators.filter.layout import Layout

_LEFT = 1e-8        # change of a part of all nodes, as a share of its largest number
_LEAST = 1e-9       # of which at least
_SMALL = 1e-12      # share of the largest singular value from which on nothing is determined


class ComposedProblem(Problem):
    """A graph of nodes of one Layout; its step is measured by the parts of the nodes."""

    def __init__(self, graph: gtsam.NonlinearFactorGraph, node: Layout) -> None:
        """Set up; node: the Layout."""
        super().__init__(graph)
        self._node = node

    def length(self, at: Iterate) -> float:
        """See Problem."""
        return max(change for change, _ in self._changes(at)) / _LEFT

    def remaining(self, at: Iterate) -> str:
        """See Problem."""
        change, text = max(self._changes(at))
        return f'another step would change {text} by {100.0 * change:.2g} % of the largest'

    def _changes(self, at):
        """Return the largest change of each block, as a share, and what it is of."""
        keys = sorted(at.values.keys())
        values = np.array([at.values.atVector(key) for key in keys])
        steps = np.abs([at.step.at(key) for key in keys])
        changes = []
        for block in self._node.blocks:
            span = self._node[block.name]
            if span.stop > span.start:
                k = steps[:, span].max(axis=1).argmax()
                changes.append((float(steps[k, span].max() / max(np.abs(values[:, span]).max(),
                                                                _LEAST / _LEFT)),
                              f'{block.name} of node {keys[k]}'))
        return changes

    def require_determined(self, values: gtsam.Values) -> None:
        """Raise DivergenceError where factors leave directions of the nodes open."""
        jacobian = self.graph.linearize(values).jacobian()[0]
        lengths = np.linalg.norm(jacobian, axis=0)
        strength = np.linalg.svd(jacobian / np.where(lengths > 0.0, lengths, 1.0),
                                 compute_uv=False)
        if jacobian.shape[0] < jacobian.shape[1] or not strength[-1] > _SMALL * strength[0] or not (
                lengths > 0.0).all():
            raise DivergenceError('the factors do not determine the nodes: more of them are needed')
