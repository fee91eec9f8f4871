"""Problems, and a whole graph at once: its most likely nodes.

Gauss-Newton steps, shortened where the whole step does not help.  The loop is here, all of its
steps are GTSAM's: GTSAM's own optimisers, and ISAM2, hand every custom factor a copy of all nodes
each time they evaluate it, so that an iteration over 2000 instants takes seconds instead of a tenth
of one.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import gtsam
import numpy as np

from mb_estimators.filter import DivergenceError, NotConvergedError

ITERATIONS = 30           # the most, by default
_CONTRACTION = 0.5        # of the length of the next step: then a step that raises the error helps
_WHOLE = 0.8              # share of a step from which on the whole of it is taken
_LEAST, _SHORTEST = 0.1, 1e-6       # share of the last one that is tried next; the last of all
_SAME = 1e-9              # change of an error that is none, as a share of it
_COARSEST = 1e3           # length of a step that may be left where rounding is all that it is
ROUNDING = 40.0 * np.finfo(float).eps       # of a residual, as a share of its terms


class Iterate(NamedTuple):
    """Nodes of a graph, their error, the graph linearised there, and the full Gauss-Newton step."""

    values: gtsam.Values
    error: float
    linear: gtsam.GaussianFactorGraph
    step: gtsam.VectorValues

    @property
    def gain(self):
        """By how much the full step would lower the error, were the graph linear."""
        return gain(self.linear, self.step)


def rounding(at: Iterate):
    """Return the length of the rounding of all residuals of an Iterate, by their weights.

    A row J x - b in double precision is off by up to ROUNDING (|J| |x| + |b|), in deviations.
    """
    total = 0.0
    for k in range(at.linear.size()):
        one = at.linear.at(k)
        jacobian, right = one.jacobian()
        near = np.concatenate([at.values.atVector(key) for key in list(one.keys())])
        total += np.square(np.abs(jacobian) @ np.abs(near) + np.abs(right)).sum()
    return float(ROUNDING * np.sqrt(total))


def gain(linear, step):
    """Return by how much a step lowers the error of a linear graph or factor."""
    return max(0.0, linear.error(gtsam.VectorValues.Zero(step)) - linear.error(step))


class Problem(ABC):
    """A graph to be solved."""

    def __init__(self, graph: gtsam.NonlinearFactorGraph):
        """Set up with a NonlinearFactorGraph."""
        self.graph = graph

    @abstractmethod
    def length(self, at: Iterate):
        """Return the length of the step of an Iterate, over that with which it counts as solved."""

    @abstractmethod
    def remaining(self, at: Iterate):
        """Return, as text, what the step of an Iterate still changes most, and where."""


_LEFT = 1e-3              # standard deviations that a solution may be off
_NOISE = 1e-14            # of the error of a graph, by rounding, as a share of it


class MostLikely(Problem):
    """A graph with weights from noises.

    The length of a full step is in standard deviations, sqrt(step' H step) with the inverse H of
    the covariance of all nodes: no variable changes by more of its standard deviations.
    """

    def __init__(self, graph: gtsam.NonlinearFactorGraph, names: Sequence[str]):
        """Set up; names: key of a node -> text that says which it is."""
        super().__init__(graph)
        self._names = names

    def length(self, at: Iterate):
        """See Problem."""
        return np.sqrt(2.0 * at.gain) / (_LEFT + np.sqrt(_NOISE * at.error))

    def remaining(self, at: Iterate):
        """See Problem."""
        factors = [at.linear.at(k) for k in range(at.linear.size())]
        worst = max(factors, key=lambda factor: gain(factor, at.step))
        where = ' and '.join(map(self._names.get, list(worst.keys())))
        return (f'another step would change the solution by {np.sqrt(2.0 * at.gain):.2g} standard '
                f'deviations, most of it at {where}')


class Solution(NamedTuple):
    """Values of a solved graph, and how many iterations that took."""

    values: gtsam.Values
    iterations: int


def solve(problem: Problem, values: gtsam.Values, iterations: int = ITERATIONS):
    """Return the Solution at which the graph of a Problem has its smallest error, near Values.

    Solved is what a full step from there hardly changes, as Problem.length says; that step is taken
    too.  Weights that are far apart may forbid steps as short: then solved is what only rounding
    changes, as little as _COARSEST allows.  iterations: other steps, the most.
    By QR: Cholesky's factors would lose readings beside steps that are almost certain.
    Raises NotConvergedError, DivergenceError.
    """
    ordering = gtsam.Ordering.ColamdNonlinearFactorGraph(problem.graph)
    at, before = _iterate(problem, values, ordering), np.inf
    for count in range(iterations + 1):
        length = problem.length(at)
        if length <= 1.0 or _is_rounding(at, length, before):
            last = at.values.retract(at.step)
            lower = _lower(problem.graph.error(last), at)
            return Solution(last if lower else at.values, count)
        better = _next(problem, at, ordering) if count < iterations else None
        if better is None:
            break
        at, before = better, length
    why = '' if count == iterations else ', after which no step is better'
    raise NotConvergedError(
        f'not converged after {count} iterations{why}: {problem.remaining(at)}')


def _is_rounding(at: Iterate, length: float, before: float):
    """Return whether the full step of an Iterate is what the rounding of its residuals makes.

    Such a step is not half as long as the one before, and helps by no more than that rounding.
    """
    return (_CONTRACTION * before < length <= _COARSEST
            and np.sqrt(2.0 * at.gain) <= rounding(at))


def _iterate(problem: Problem, values: gtsam.Values, ordering: gtsam.Ordering):
    """Return the Iterate at Values; raises DivergenceError."""
    linear, error = problem.graph.linearize(values), problem.graph.error(values)
    try:
        step = linear.eliminateMultifrontal(ordering, gtsam.EliminateQR).optimize()
    except RuntimeError as failure:
        raise DivergenceError(f'the graph has no solution ({first_line(failure)})') from None
    if not np.isfinite(error):
        raise DivergenceError('the graph has no solution (error without end)')
    return Iterate(values, error, linear, step)


def _next(problem: Problem, at: Iterate, ordering: gtsam.Ordering):
    """Return a better Iterate, None if there is none along the full step.

    A full step may raise the error: laws that weigh much are met to first order.  It has helped all
    the same where the next one is much shorter.  Else the share of it is taken of which the error
    is least, by the parabola through error, slope and the error at its end.
    """
    values = at.values.retract(at.step)
    error = problem.graph.error(values)
    if _lower(error, at):
        share = _lowest(at, 1.0, error)
        if share < _WHOLE:
            shorter = at.values.retract(_part(at.step, share))
            if problem.graph.error(shorter) < error:
                values = shorter
        return _iterate(problem, values, ordering)
    new = _iterate(problem, values, ordering)
    if problem.length(new) <= _CONTRACTION * problem.length(at):
        return new
    share = 1.0
    while share > _SHORTEST:
        share *= min(max(_lowest(at, share, error) / share, _LEAST), 1.0 - _LEAST)
        values = at.values.retract(_part(at.step, share))
        error = problem.graph.error(values)
        if _lower(error, at):
            return _iterate(problem, values, ordering)
    return None


def _lowest(at: Iterate, share: float, error: float):
    """Return the share of a full step with the lowest error; error: at another share."""
    slope = -2.0 * at.gain
    bend = error - at.error - slope * share
    return -0.5 * slope * share ** 2 / bend if bend > 0.0 else share


def _part(step, share: float):
    part = gtsam.VectorValues(step)
    part.scaleInPlace(share)
    return part


def _lower(error: float, at: Iterate):
    return error <= (1.0 + _SAME) * at.error


def first_line(error: float):
    """Return the first line of an error's text that is not empty."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), '')
