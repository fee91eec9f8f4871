"""Problem of estimation: nodes at which the readings and laws of a graph are most likely."""

import numpy as np

from mb_estimators.factor_graph.problem import Problem, gain

_LEFT = 1e-3              # standard deviations that a solution may be off
_ROUNDING = 1e-14         # of the error of a graph, as a share of it


class MostLikely(Problem):
    """A graph with weights from noises.

    The length of a full step is in standard deviations, sqrt(step' H step) with the inverse H of
    the covariance of all nodes: no variable changes by more of its standard deviations.
    """

    def __init__(self, graph, names):
        """Set up; names: key of a node -> text that says which it is."""
        super().__init__(graph)
        self._names = names

    def length(self, at):
        """See Problem."""
        return np.sqrt(2.0 * at.gain) / (_LEFT + np.sqrt(_ROUNDING * at.error))

    def remaining(self, at):
        """See Problem."""
        factors = [at.linear.at(k) for k in range(at.linear.size())]
        worst = max(factors, key=lambda factor: gain(factor, at.step))
        where = ' and '.join(map(self._names.get, list(worst.keys())))
        return (f'another step would change the solution by {np.sqrt(2.0 * at.gain):.2g} standard '
                f'deviations, most of it at {where}')
