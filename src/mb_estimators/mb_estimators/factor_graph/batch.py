"""A whole graph at once: its most likely nodes.

Gauss-Newton steps, shortened where the whole step does not help.  The loop is here, all of its
steps are GTSAM's: GTSAM's own optimisers, and ISAM2, hand every custom factor a copy of all nodes
each time they evaluate it, so that an iteration over 2000 instants takes seconds instead of a tenth
of one.
"""

from typing import NamedTuple

import gtsam
import numpy as np

from mb_estimators.factor_graph.problem import Iterate
from mb_estimators.filter import DivergenceError, NotConvergedError

ITERATIONS = 30           # the most, by default
_CONTRACTION = 0.5        # of the length of the next step: then a step that raises the error helps
_WHOLE = 0.8              # share of a step from which on the whole of it is taken
_LEAST, _SHORTEST = 0.1, 1e-6       # share of the last one that is tried next; the last of all
_ROUNDING = 1e-9          # of an error, as a share of it


class Solution(NamedTuple):
    """Values of a solved graph, and how many iterations that took."""

    values: gtsam.Values
    iterations: int


def solve(problem, values, iterations=ITERATIONS):
    """Return the Solution at which the graph of a Problem has its smallest error, near Values.

    Solved is what a full step from there hardly changes, as Problem.length says; that step is taken
    too.  iterations: other steps, the most.
    By QR: Cholesky's factors would lose readings beside steps that are almost certain.
    Raises NotConvergedError, DivergenceError.
    """
    ordering = gtsam.Ordering.ColamdNonlinearFactorGraph(problem.graph)
    at = _iterate(problem, values, ordering)
    for count in range(iterations + 1):
        if problem.length(at) <= 1.0:
            last = at.values.retract(at.step)
            lower = _lower(problem.graph.error(last), at)
            return Solution(last if lower else at.values, count)
        found = _next(problem, at, ordering) if count < iterations else None
        if found is None:
            break
        at = found
    why = '' if count == iterations else ', after which no step is better'
    raise NotConvergedError(
        f'not converged after {count} iterations{why}: {problem.remaining(at)}')


def _iterate(problem, values, ordering):
    """Return the Iterate at Values; raises DivergenceError."""
    linear, error = problem.graph.linearize(values), problem.graph.error(values)
    try:
        step = linear.eliminateMultifrontal(ordering, gtsam.EliminateQR).optimize()
    except RuntimeError as failure:
        raise DivergenceError(f'the graph has no solution ({first_line(failure)})') from None
    if not np.isfinite(error):
        raise DivergenceError('the graph has no solution (error without end)')
    return Iterate(values, error, linear, step)


def _next(problem, at, ordering):
    """Return a better Iterate, None if there is none on the way of the full step.

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


def _lowest(at, share, error):
    """Return the share of a full step with the lowest error; error: at another share."""
    slope = -2.0 * at.gain
    bend = error - at.error - slope * share
    return -0.5 * slope * share ** 2 / bend if bend > 0.0 else share


def _part(step, share):
    part = gtsam.VectorValues(step)
    part.scaleInPlace(share)
    return part


def _lower(error, at):
    return error <= (1.0 + _ROUNDING) * at.error


def first_line(error):
    """Return the first line of an error's text that is not empty."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), '')
