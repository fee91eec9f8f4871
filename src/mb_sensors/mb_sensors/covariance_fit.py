"""The covariance of a weighted least-squares fit with errors that are correlated in time."""

import numpy as np

from mb_model.arrays import FloatArray, IntArray

_LOST = 1e-9            # eigenvalue of a direction that samples do not determine, of the largest
_FEW = 16               # blocks, whose scatter is hardly known
_TAIL, _NORMAL = 0.975, 1.96        # end of the 95 % interval, and of a normal variable
_ALONE = 1e-6           # of a direction that only one block determines, what is left without it


def fit_covariance(slopes: FloatArray, residual: FloatArray, blocks: IntArray) -> FloatArray:
    """Return the covariance of the fitted parameters (p, p).

    slopes (k, p) and residual (k) in units of the residual's deviation; blocks (k): number of the
    block of each sample, between which errors are independent.  The sandwich estimator over blocks,
    each enlarged by its leverage so that white errors give their covariance (Bell and McCaffrey
    2002, "bias reduced linearization").  It is a covariance of as many vectors as there are blocks,
    often hardly more than parameters, so it is shrunk towards one factor of the covariance by
    white errors, as far as the scatter of the blocks says (Ledoit and Wolf 2004).

    Of less than 16 blocks it is enlarged as the 95 % interval of Student's t is, with one degree of
    freedom for each block but one, and is in no direction less than by white errors.  One block
    shows no error: white ones are assumed, and the intervals are too small where errors last.
    Undetermined directions get a huge variance.
    """
    size = np.sqrt(np.mean(slopes ** 2, axis=0))
    size[size == 0.0] = 1.0         # what no sample depends on
    values, vectors = np.linalg.eigh((slopes / size).T @ (slopes / size))
    floor = _LOST * values[-1]
    determined = values > floor
    # Of parameters turned by `turn`, white errors have a covariance of 1.
    turn = vectors[:, determined] / np.sqrt(values[determined]) / size[:, np.newaxis]
    covariance = turn @ _shrunk(slopes @ turn, residual, blocks) @ turn.T
    open_ = vectors[:, ~determined] / size[:, np.newaxis]
    return np.asarray(covariance + open_ @ open_.T / floor, np.float64)


def _shrunk(slopes: FloatArray, residual: FloatArray, blocks: IntArray) -> FloatArray:
    """Return the covariance (p, p) of parameters in which slopes^T slopes is 1."""
    unit = np.eye(slopes.shape[1])
    changes, seen = [], np.zeros_like(unit)
    for number in range(blocks.max() + 1):
        part = slopes[blocks == number]
        leverage, axes = np.linalg.eigh(part.T @ part)
        others = leverage < 1.0 - _ALONE        # of what it alone determines, it shows no error
        axes, leverage = axes[:, others], leverage[others]
        changes.append(axes @ (axes.T @ (part.T @ residual[blocks == number])
                               / np.sqrt(1.0 - leverage)))
        seen += axes * leverage @ axes.T
    each = np.array(changes)
    shown = each.T @ each
    factor = float(np.trace(shown)) / max(float(np.trace(seen)), _ALONE)
    if len(each) < _FEW:
        factor = max(factor, 1.0)
    whole = shown + factor * (unit - seen)
    away = float(np.sum((whole - factor * unit) ** 2))
    scatter = float(np.sum(np.sum(each ** 2, axis=1) ** 2) - np.sum(shown ** 2) / len(each))
    share = min(scatter / away, 1.0) if away > 0.0 else 1.0
    shrunk = share * factor * unit + (1.0 - share) * whole
    return shrunk if len(each) >= _FEW else _of_few(shrunk, len(each))


def _of_few(covariance: FloatArray, count: int) -> FloatArray:
    """Return a covariance (p, p) enlarged as of so few blocks, in no direction less than 1."""
    from scipy.special import stdtrit  # here: it takes a quarter of a second
    factor = (float(stdtrit(count - 1, _TAIL)) / _NORMAL) ** 2 if count > 1 else 1.0
    values, axes = np.linalg.eigh(factor * covariance)
    return np.asarray(axes * np.maximum(values, 1.0) @ axes.T, np.float64)
