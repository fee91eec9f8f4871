"""How certain the nodes of a solved graph are."""

import gtsam

from mb_estimators.factor_graph.batch import first_line
from mb_estimators.filter import DivergenceError


class Covariances:
    """Marginal covariances of the nodes of a graph at its solution."""

    def __init__(self, graph, values):
        """Set up; raises DivergenceError where nothing is known of a node."""
        parameters = gtsam.ISAM2Params()
        parameters.setFactorization('QR')
        self._tree = gtsam.ISAM2(parameters)
        linear, contained = graph.linearize(values), gtsam.NonlinearFactorGraph()
        for k in range(linear.size()):
            contained.add(gtsam.LinearContainerFactor(linear.at(k)))
        try:
            self._tree.update(contained, values)
        except RuntimeError as error:
            raise DivergenceError(f'the graph has no solution ({first_line(error)})') from None

    def of(self, key):
        """Return the covariance of a node."""
        return self._tree.marginalCovariance(key)
