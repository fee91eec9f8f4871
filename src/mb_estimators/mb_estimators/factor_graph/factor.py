"""Factors of GTSAM: compiled errors of nodes, bounds of variables, weights of laws, losses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gtsam
import numpy as np

from mb_model import Settings, setting
from mb_model.arrays import FloatArray, IntArray

NO_SOLUTION = 1e6      # error, in standard deviations, where the mechanism has none: turn back


def factor(noise, keys: Sequence[int], error, sizes: Sequence[int]):
    """Return a CustomFactor of compiled rows.

    noise: model of the rows, which knows how many; keys: of its nodes, sizes: of their vectors;
    error(*vectors, e, *jacobians) writes all rows and returns False where the mechanism has no
    solution.  Error and Jacobians are copied by GTSAM, so one room serves all calls; and it asks
    often for the same nodes again, for which they are still there.
    """
    count = noise.dim()
    e = np.zeros(count)
    jacobians = tuple(np.zeros((count, size)) for size in sizes)

    last = None

    def evaluate(_, values, wanted):
        nonlocal last
        vectors = [values.atVector(key) for key in keys]
        present = [vector.tobytes() for vector in vectors]
        if present != last:
            last = present
            if not error(*vectors, e, *jacobians):
                e.fill(NO_SOLUTION)
        if wanted is not None:
            for k, jacobian in enumerate(jacobians):
                wanted[k] = jacobian
        return e

    return gtsam.CustomFactor(noise, list(keys), evaluate)


def bound(key: int, size: int, indices: IntArray, least: FloatArray, largest: FloatArray,
          deviations: FloatArray):
    """Return the factor of variables, by their indices in the vector (size) of a node.

    Its error is how far they are beyond `least` or `largest`, 0 between them.  With deviations far
    below the node's own, a quadratic program is solved; what is beyond a bound then is the
    deviation squared times the multiplier.
    """
    rows = np.arange(len(indices))

    def error(x: FloatArray, e: FloatArray, J: FloatArray):
        values = x[indices]
        e[:] = np.maximum(values - largest, 0.0) + np.minimum(values - least, 0.0)
        J[rows, indices] = e != 0.0
        return True

    return factor(gtsam.noiseModel.Diagonal.Sigmas(deviations), [key], error, [size])


# GTSAM's own constraints eliminate by the first coefficient that is not zero, however small: near
# level bars they lose eight digits.  A soft law of this share of the least deviation does not.
_CERTAIN = 1e-3


def certain(deviations: FloatArray):
    """Return the standard deviation of laws that must hold beside rows with others, the soft."""
    return _CERTAIN * deviations[deviations > 0.0].min()


def law(deviations: FloatArray):
    """Return the noise model of rows with standard deviations; 0: the row must vanish."""
    return gtsam.noiseModel.Diagonal.Sigmas(
        np.where(deviations == 0.0, certain(deviations), deviations))


_LOSSES = {'huber': (gtsam.noiseModel.mEstimator.Huber, 1.345),
           'cauchy': (gtsam.noiseModel.mEstimator.Cauchy, 2.3849),
           'tukey': (gtsam.noiseModel.mEstimator.Tukey, 4.6851),
           'welsch': (gtsam.noiseModel.mEstimator.Welsch, 2.9846),
           'geman_mcclure': (gtsam.noiseModel.mEstimator.GemanMcClure, 2.0)}
SQUARE = 'square'


@dataclass(frozen=True)
class LossSettings(Settings):
    """Weights of readings that are far from the solution of the graph."""

    loss: str = setting(
        SQUARE, choices=(SQUARE, *_LOSSES),
        help='Of readings: by their square, or robust: outliers count less')
    loss_scale: float = setting(
        0.0, at_least=0.0,
        help='Standard deviations from which on a robust loss counts less; 0: the usual value, '
             'with 95 % of the efficiency of the square on readings without outliers')


def with_loss(noise, settings: Any):
    """Return a noise model under the loss of LossSettings."""
    if settings.loss == SQUARE:
        return noise
    kind, usual = _LOSSES[settings.loss]
    return gtsam.noiseModel.Robust.Create(kind.Create(settings.loss_scale or usual), noise)
