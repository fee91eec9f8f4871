"""How certain the nodes of a solved graph are, and how likely it makes the readings."""

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import first_line
from mb_estimators.filter import DivergenceError


class Covariances:
    """Marginal covariances of the nodes of a graph at its solution."""

    def __init__(self, graph: gtsam.NonlinearFactorGraph, values: gtsam.Values):
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

    def of(self, key: int):
        """Return the covariance of a node."""
        return self._tree.marginalCovariance(key)


_TURN = np.log(2.0 * np.pi)


def log_evidence(motion, values: gtsam.Values):
    """Return the logarithm of the density of the readings of a WholeMotion at its solution.

    By Laplace's approximation: exact where the graph is linear.  With the error E of the graph
    (half the sum of squares), whitened Jacobians J of prior and steps by their newest node, and the
    deviations s of k readings,

        log p = -E + sum log|det J| - sum log s - k / 2 log(2 pi) - 1/2 log det H.

    det J: a step's rows are no changes of the node, but the trapezoidal rule of the dynamics, which
    on another branch has another scale.  H = R' R of all factors, by QR.  Source: MacKay 2003,
    Chap. 28.  Raises DivergenceError where the graph leaves a node open.
    """
    linear = motion.graph.linearize(values)
    try:
        ordering = gtsam.Ordering.ColamdNonlinearFactorGraph(motion.graph)
        net = linear.eliminateSequential(ordering, gtsam.EliminateQR)
    except RuntimeError as failure:
        raise DivergenceError(f'the graph has no solution ({first_line(failure)})') from None
    root = sum(_scale_of(net.at(k)) for k in range(net.size()))
    scale = sum(_newest(factor, values) for factor in (motion.prior, *motion.steps))
    deviations = np.concatenate([factor.noiseModel().sigmas() for factor in motion.readings])
    evidence = float(scale - motion.graph.error(values) - root - np.log(deviations).sum()
                  - 0.5 * len(deviations) * _TURN)
    if not np.isfinite(evidence):
        raise DivergenceError('the graph has no evidence: it leaves a node open')
    return evidence


def _newest(factor, values: gtsam.Values):
    """Return log|det J| of the whitened Jacobian of a factor by the last of its nodes."""
    jacobian = factor.linearize(values).jacobian()[0]
    return np.linalg.slogdet(jacobian[:, -len(jacobian):])[1]


def _scale_of(conditional):
    """Return log|det R| of a node given others; steps that are almost certain have deviations."""
    model = conditional.get_model()
    rows = np.log(np.abs(conditional.R().diagonal()))
    return float(rows.sum() - (0.0 if model is None else np.log(model.sigmas()).sum()))
