"""The unknowns of a fit that are most likely after the recordings, among possible machines."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

from mb_estimators.filter import NotConvergedError
from mb_estimators.fitting.unknowns import Unknowns
from mb_model.arrays import BoolArray, FloatArray

_STEPS = 300
_HALVINGS = 60
_SMALL = 1e-6           # decrement squared that is enough: a thousandth of a deviation
_LOST = 1e-12           # of a cost, to rounding
_ROUGH = 0.01           # decrement that is enough on the path, against the barrier
_NEAR = 0.9             # of the way to the edge of what is possible
_ENOUGH = 1e-4          # share of the gain that a slope promises (Armijo)


@dataclass(frozen=True)
class Quadratic:
    """Cost of features f: |triangle f - right|^2 / 2, and of beliefs about single ones.

    triangle (f, f), right (f); believed (f) and precision (f): of each feature, 0 where nothing is
    believed.
    """

    triangle: FloatArray
    right: FloatArray
    believed: FloatArray
    precision: FloatArray

    def at(self, features: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, gradient (f) and root of the Hessian (2 f, f), whose square it is."""
        missed = self.triangle @ features - self.right
        away = features - self.believed
        return (0.5 * float(missed @ missed + away @ (self.precision * away)),
                self.triangle.T @ missed + self.precision * away,
                np.concatenate([self.triangle, np.diag(np.sqrt(self.precision))]))


def most_likely(unknowns: Unknowns, data: Quadratic, start: FloatArray) -> FloatArray:
    """Return the unknowns x (p) of least cost: data and beliefs together.

    Impossible bodies cost infinitely (a barrier): it begins as large as all costs, and the path of
    the solutions is followed as it falls to its own size.
    Convex if features are linear in x.  start: possible ones.  Raises NotConvergedError.
    Source: Boyd and Vandenberghe 2004, Sec. 11.3 (path following).
    """
    x = np.maximum(start, unknowns.lower)
    first = data.at(unknowns.features(x))[0] + unknowns.prior(x)[0]
    for barrier in 10.0 ** np.arange(np.ceil(np.log10(max(first, 1.0))), -1.0, -1.0):
        x = _descended(unknowns, data, x, float(barrier))
    return x


def _descended(unknowns: Unknowns, data: Quadratic, x: FloatArray, barrier: float) -> FloatArray:
    """Return the unknowns of least cost with a barrier, by damped Newton steps."""
    def cost_at(x: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        slopes = unknowns.slopes(x)
        cost, gradient, root = data.at(unknowns.features(x))
        believed = unknowns.prior(x, barrier)
        return (cost + believed[0], slopes.T @ gradient + believed[1],
                np.concatenate([root @ slopes, believed[2]]))

    cost, gradient, root = cost_at(x)
    for _ in range(_STEPS):
        step = _step(root, gradient, x <= unknowns.lower)
        enough = max(_SMALL, _LOST * abs(cost)) if barrier == 1.0 else _ROUGH * barrier
        if -float(gradient @ step) <= enough:
            return x
        blocked = step < 0.0
        share = min(1.0, _NEAR * unknowns.room(x, step),
                    np.min((unknowns.lower - x)[blocked] / step[blocked], initial=np.inf))
        for _ in range(_HALVINGS):
            to = np.maximum(x + share * step, unknowns.lower)
            there = cost_at(to)
            if there[0] <= cost + _ENOUGH * float(gradient @ (to - x)):
                break
            share *= 0.5
        else:
            return x            # rounding: no step wins anything
        if there[0] == cost:
            return to
        x, (cost, gradient, root) = to, there
    raise NotConvergedError(f'the fit does not converge within {_STEPS} steps')


def _step(root: FloatArray, gradient: FloatArray, at_bound: BoolArray) -> FloatArray:
    """Return the Newton step (p) of what is free: no bound is crossed from where it is reached.

    root (k, p): its square is the Hessian, of which near an edge only the root is accurate.
    """
    held, step = at_bound & (gradient > 0.0), np.zeros(len(gradient))
    while not held.all():
        free = ~held
        step = np.zeros(len(gradient))
        size = np.linalg.norm(root[:, free], axis=0)
        size[size == 0.0] = 1.0
        triangle = qr(root[:, free] / size, mode='r')[0][:size.size]
        step[free] = -solve_triangular(triangle, solve_triangular(
            triangle, gradient[free] / size, trans='T')) / size
        crossed = at_bound & (step < 0.0)
        if not crossed.any():
            break
        held, step = held | crossed, np.zeros(len(gradient))
    return step
