"""The last moments of a motion as a graph, which GTSAM keeps solved while it grows."""

from collections import deque
from typing import Any, NamedTuple

import gtsam
import numpy as np

from mb_estimators.filter import NotConvergedError
from mb_estimators.filter.layout import Layout
from mb_model.arrays import FloatArray

SAME = 1e-9               # two instants are one [s]
_LETTER = 'x'             # of the keys of nodes
_VELOCITY_TIME = 0.1      # s


class Instant(NamedTuple):
    """A node of the graph: its key, time of the motion [s], position with references (n_total).

    inputs (g): known forces at it; before: their mean over the step to it.
    """

    key: int
    time: float
    position: np.ndarray
    inputs: np.ndarray
    before: np.ndarray

    @classmethod
    def first(cls, time: float, position, inputs: FloatArray):
        """Return the Instant at which a window begins."""
        return cls(gtsam.symbol(_LETTER, 0), time, position, inputs, inputs)


class Whole(NamedTuple):
    """All factors, estimates of nodes and Instants since a window was opened.

    start: the vector of the first node then.
    """

    graph: gtsam.NonlinearFactorGraph
    values: gtsam.Values
    instants: list
    start: np.ndarray


class Window:
    """An incremental fixed-lag smoother (Kaess et al. 2012) over the nodes of motion_node.

    instants: those still open, the oldest first; whole: a Whole if it keeps one, else None.
    """

    def __init__(self, settings: Any, node: Layout, first: Instant, vector: FloatArray,
                 covariance: FloatArray, keep: bool = False, bounded=None):
        """Begin with an Instant, its vector and its covariance.

        settings: WindowSettings; node: the Layout of nodes; keep: also keep what leaves
        the window, in `whole`; bounded: index -> change of a variable with bounds from which on
        its factors are linearised anew.
        """
        self._lag, self._iterations = settings.lag, settings.iterations
        self._node, self._relinearise = node, settings.relinearise
        self._curved = _thresholds(settings.relinearise, node)
        self._least = self._curved.copy()
        for index, change in (bounded or {}).items():
            self._least[index] = min(self._least[index], change)
        thresholds = gtsam.ISAM2ThresholdMap()
        thresholds.insert((_LETTER, self._least))
        everything = gtsam.ISAM2GaussNewtonParams()
        everything.setWildfireThreshold(0.0)        # no change is too small to be passed on
        self._parameters = gtsam.ISAM2Params()
        self._parameters.setOptimizationParams(everything)
        self._parameters.setRelinearizeThreshold(thresholds)
        self._parameters.relinearizeSkip = 1
        self._parameters.setFactorization('QR')     # Cholesky's loses readings beside certain steps
        self.whole = None
        if keep:
            self.whole = Whole(gtsam.NonlinearFactorGraph(), gtsam.Values(), [], vector)
        start = self._begin(first, vector, covariance)
        if self.whole:
            self.whole.graph.add(start)
            self.whole.values.insert(first.key, vector)
            self.whole.instants.append(first)

    def _begin(self, instant: Instant, vector: FloatArray, covariance: FloatArray):
        """Open a window at an Instant; return the factor of what is known of it."""
        self._smoother = gtsam.IncrementalFixedLagSmoother(
            self._lag + 2.0 * SAME, self._parameters)
        self.instants = deque([instant])
        self._forget_new()
        self._new_values.insert(instant.key, vector)
        self._new_times[instant.key] = instant.time
        prior = gtsam.PriorFactorVector(
            instant.key, vector, gtsam.noiseModel.Gaussian.Covariance(covariance))
        self._new_factors.add(prior)
        return prior

    def restart(self, vector: FloatArray, covariance: FloatArray):
        """Forget all but the newest Instant, as it was before readings that cannot be."""
        self._begin(self.newest, vector, covariance)

    @property
    def newest(self):
        """The newest Instant."""
        return self.instants[-1]

    @property
    def oldest(self):
        """The oldest Instant that is open."""
        return self.instants[0]

    def step_to(self, instant: Instant, vector: FloatArray, *factors):
        """Add a node, guessed to be at a vector, the factor of the step to it, and others of it."""
        self.instants.append(instant)
        self._new_values.insert(instant.key, vector)
        self._new_times[instant.key] = instant.time
        for factor in factors:
            self._new_factors.add(factor)
            if self.whole:
                self.whole.graph.add(factor)
        if self.whole:
            self.whole.values.insert(instant.key, vector)
            self.whole.instants.append(instant)

    def act(self, inputs: FloatArray):
        """Let known forces (g) act at the newest Instant."""
        self.instants[-1] = self.newest._replace(inputs=inputs)
        if self.whole:
            self.whole.instants[-1] = self.newest

    def at(self, time: float):
        """Return the Instant at a time or the last before it, None if that has left the window."""
        if max(self.oldest.time, self.newest.time - self._lag) > time + SAME:
            return None
        return next(one for one in reversed(self.instants) if one.time <= time + SAME)

    def solve(self, factors=()):
        """Take in factors of readings and what is new, let go what is too old.

        Solved is what moves no instant so far that it would have to be linearised anew.
        Returns `node` of the newest Instant.  Raises RuntimeError where there is no solution,
        NotConvergedError where it is not reached.
        """
        for factor in factors:
            self._new_factors.add(factor)
        self._smoother.update(self._new_factors, self._new_values, self._new_times)
        self._forget_new()
        self._settle()
        while self.oldest.time < self.newest.time - self._lag - SAME:
            self.instants.popleft()
        return self.node(self.newest)

    def _settle(self):
        """Linearise anew where that is due, until it is no more.

        Instants on the edge of the window cannot be: what left it was linearised with them.
        """
        moved, count = self._moved(), 0
        while (moved > self._least).any() and count < self._iterations:
            self._smoother.update(self._new_factors, self._new_values, self._new_times)
            if self._smoother.getISAM2Result().getVariablesRelinearized() == 0:
                if self._edge_is_straight(moved):
                    return
                break
            moved, count = self._moved(), count + 1
        if not (moved > self._least).any():
            return
        parts = self._node.parts(moved)
        raise NotConvergedError(
            f'not converged after {count} iterations: the window before '
            f't = {self.newest.time:.6g} s still moves by {parts["position"].max():.2g} in z and '
            f'{parts["velocity"].max():.2g} in zd')

    def _edge_is_straight(self, moved: FloatArray):
        """Return whether instants on the edge that have moved (size) leave the estimate right.

        What is not linear in a move of m radians is about m^2 / 2: half a deviation at most; the
        same of shares of parameters, each by its own deviation.
        """
        change, node = self._relinearise * moved / self._curved, self._node
        deviations = np.sqrt(self._smoother.marginalCovariance(self.newest.key).diagonal())
        parameters = node['parameter']
        return bool(change[:parameters.start].max() ** 2 <= deviations[node['position']].min()
                    and (change[parameters] ** 2 <= deviations[parameters]).all())

    def _moved(self):
        """Return how far variables have moved since they were linearised, of all open instants."""
        moved = self._smoother.getDelta().vector().reshape(-1, len(self._least))
        return np.abs(moved).max(axis=0)

    def keep(self, factors: Any, vector: FloatArray):
        """Put factors of readings, and what they make of the newest node, into the Whole."""
        if self.whole:
            for factor in factors:
                self.whole.graph.add(factor)
            self.whole.values.update(self.newest.key, vector)

    def node(self, instant: Instant):
        """Return vector and marginal covariance of an open Instant, as last solved."""
        return (self._smoother.calculateEstimateVector(instant.key),
                self._smoother.marginalCovariance(instant.key))

    def _forget_new(self):
        """Begin anew to gather what GTSAM does not have yet."""
        self._new_factors, self._new_values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        self._new_times = {}


def _thresholds(change: float, node: Layout):
    """Return the changes of a node (size) from which on its factors are linearised anew.

    Forces and biases act linearly, on accelerations and readings; numbers of parameters are shares.
    """
    least = np.full(node.size, np.inf)
    least[node['position']], least[node['velocity']] = change, change / _VELOCITY_TIME
    least[node['parameter']] = change
    return least
