"""Problem of a graph that users compose: when it counts as solved."""

import numpy as np

from mb_estimators.factor_graph.problem import Problem
from mb_estimators.filter import DivergenceError

_LEFT = 1e-8        # change of a part of all nodes, as a share of its largest number
_LEAST = 1e-9       # of which at least
_SMALL = 1e-12      # share of the largest singular value from which on nothing is determined


class ComposedProblem(Problem):
    """A graph of nodes of one Layout; its step is measured by the parts of the nodes."""

    def __init__(self, graph, node):
        """Set up; node: the Layout."""
        super().__init__(graph)
        self._node = node

    def length(self, at):
        """See Problem."""
        return max(change for change, _ in self._changes(at)) / _LEFT

    def remaining(self, at):
        """See Problem."""
        change, text = max(self._changes(at))
        return f'another step would change {text} by {100.0 * change:.2g} % of the largest'

    def _changes(self, at):
        """Return the largest change of each block, as a share, and what it is of."""
        keys = sorted(at.values.keys())
        values = np.array([at.values.atVector(key) for key in keys])
        steps = np.abs([at.step.at(key) for key in keys])
        found = []
        for block in self._node.blocks:
            place = self._node[block.name]
            if place.stop > place.start:
                k = steps[:, place].max(axis=1).argmax()
                found.append((float(steps[k, place].max() / max(np.abs(values[:, place]).max(),
                                                                _LEAST / _LEFT)),
                              f'{block.name} of node {keys[k]}'))
        return found

    def require_determined(self, values):
        """Raise DivergenceError where factors leave directions of the nodes open."""
        jacobian = self.graph.linearize(values).jacobian()[0]
        lengths = np.linalg.norm(jacobian, axis=0)
        strength = np.linalg.svd(jacobian / np.where(lengths > 0.0, lengths, 1.0),
                                 compute_uv=False)
        if jacobian.shape[0] < jacobian.shape[1] or not strength[-1] > _SMALL * strength[0] or not (
                lengths > 0.0).all():
            raise DivergenceError('the factors do not determine the nodes: more of them are needed')
