"""Problem of forward dynamics: when a motion counts as found."""

import numpy as np

from mb_estimators.factor_graph.problem import Problem

_LEFT = 1e-8        # change of accelerations, and of positions, as a share of the present ones
ROUNDING = 40.0 * np.finfo(float).eps      # of accelerations h^2, from positions of size 1


class ForwardProblem(Problem):
    """The graph of a Chain.

    The length of a full step is its largest change of an acceleration over the largest
    acceleration, or of a position over its size.
    """

    def __init__(self, graph, mechanism, node, dt):
        """Set up; node: layout of the nodes; dt: time between them [s]."""
        super().__init__(graph)
        self._mechanism, self._node, self._dt = mechanism, node, dt

    def length(self, at):
        """See Problem."""
        return max(values.max() for values in self._changes(at)) / _LEFT

    def remaining(self, at):
        """See Problem."""
        change = np.maximum(*self._changes(at))
        k, i = np.unravel_index(change.argmax(), change.shape)
        key = sorted(at.values.keys())[k]
        return (f'another step would change the motion of {self._mechanism.coordinates[i]} by '
                f'{100.0 * change[k, i]:.2g} % at t = {key * self._dt:g} s')

    def _changes(self, at):
        """Return the changes of accelerations and positions (k, n), as shares."""
        size = self._mechanism.model['scale'][0, :self._mechanism.n]
        keys = sorted(at.values.keys())
        values, steps = (np.array([vectors(key) for key in keys])
                         for vectors in (at.values.atVector, at.step.at))
        qdd = self._node['coordinate acceleration']
        present = np.abs(values[:, qdd] / size).max() + ROUNDING / (_LEFT * self._dt ** 2)
        return (np.abs(steps[:, qdd] / size) / present,
                np.abs(steps[:, self._node['coordinate']] / size))
