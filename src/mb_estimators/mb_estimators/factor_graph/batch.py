"""A whole graph at once: its most likely nodes and their marginal covariances.

The loop of Levenberg and Marquardt's method is here, all of its steps are GTSAM's: GTSAM's own
optimisers, and ISAM2, hand every custom factor a copy of all nodes each time they evaluate it, so
that an iteration over 2000 instants takes seconds instead of a tenth of one.
"""

import gtsam
import numpy as np

from mb_estimators.filter import DivergenceError

_CHANGE = 10.0            # of the damping, after each step
_ROUNDING = 1e-9          # of an error, as a share of it
_MOST = 1e5               # damping with which no step is better: there is none


def solve(graph, values, iterations=30, tolerance=1e-7, damping=1e-5):
    """Return the Values at which a graph's error is smallest, near the given ones.

    tolerance: share by which the error has to fall for another iteration; damping: of the first.
    By QR: Cholesky's factors would lose readings beside steps that are almost certain.
    Raises DivergenceError.
    """
    ordering = gtsam.Ordering.ColamdNonlinearFactorGraph(graph)
    error = graph.error(values)
    for _ in range(iterations):
        found = _step(graph, values, ordering, error, damping)
        if found is None:
            return values
        values, new, damping = found
        if error - new <= tolerance * error:
            return values
        error = new
    return values


def _step(graph, values, ordering, error, damping):
    """Return Values with no larger error, that error and the next damping; None: there are none."""
    linear = graph.linearize(values)
    while damping <= _MOST:
        try:
            moved = values.retract(_solution(_damped(linear, values, damping), ordering))
        except RuntimeError as failure:
            reason = _first_line(failure)
        else:
            reason, new = '', graph.error(moved)
            if new <= (1.0 + _ROUNDING) * error:
                return moved, new, damping / _CHANGE
        damping *= _CHANGE
    if reason or not np.isfinite(error):
        raise DivergenceError(f'the graph has no solution ({reason or "error without end"})')
    return None


def _damped(linear, values, damping):
    """Return a linear graph that also wants every node to stay."""
    graph, keys, weight = linear.clone(), values.keys(), np.sqrt(damping)
    for key in keys:
        size = len(values.atVector(key))
        graph.add(key, weight * np.eye(size), np.zeros(size))
    return graph


def _solution(linear, ordering):
    return linear.eliminateMultifrontal(ordering, gtsam.EliminateQR).optimize()


class Covariances:
    """Marginal covariances of the nodes of a graph at its solution."""

    def __init__(self, graph, values):
        parameters = gtsam.ISAM2Params()
        parameters.setFactorization('QR')
        self._tree = gtsam.ISAM2(parameters)
        linear, contained = graph.linearize(values), gtsam.NonlinearFactorGraph()
        for k in range(linear.size()):
            contained.add(gtsam.LinearContainerFactor(linear.at(k)))
        try:
            self._tree.update(contained, values)
        except RuntimeError as error:
            raise DivergenceError(f'the graph has no solution ({_first_line(error)})') from None

    def of(self, key):
        """Return the covariance of a node."""
        return self._tree.marginalCovariance(key)


def _first_line(error):
    return next((line.strip() for line in str(error).splitlines() if line.strip()), '')
