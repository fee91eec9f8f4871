"""A whole graph at once: its most likely nodes and their marginal covariances."""

import gtsam

from mb_estimators.filter import DivergenceError


def solve(graph, values, iterations=30):
    """Return the Values at which a graph's error is smallest, near the given ones.

    By Levenberg and Marquardt's method, with QR: Cholesky's would lose readings beside steps that
    are almost certain.  Raises DivergenceError.
    """
    parameters = gtsam.LevenbergMarquardtParams()
    parameters.setMaxIterations(iterations)
    parameters.setRelativeErrorTol(1e-7)
    parameters.setLinearSolverType('MULTIFRONTAL_QR')
    try:
        return gtsam.LevenbergMarquardtOptimizer(graph, values, parameters).optimize()
    except RuntimeError as error:
        raise DivergenceError(f'the graph has no solution ({_first_line(error)})') from None


class Covariances:
    """Marginal covariances of the nodes of a graph at its solution."""

    def __init__(self, graph, values):
        parameters = gtsam.ISAM2Params()
        parameters.setFactorization('QR')
        self._tree = gtsam.ISAM2(parameters)
        try:
            self._tree.update(graph, values)
        except RuntimeError as error:
            raise DivergenceError(f'the graph has no solution ({_first_line(error)})') from None

    def of(self, key):
        """Return the covariance of a node."""
        return self._tree.marginalCovariance(key)


def _first_line(error):
    return next((line.strip() for line in str(error).splitlines() if line.strip()), '')
