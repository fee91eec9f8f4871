"""The covariance of a weighted least-squares fit with errors that are correlated in time."""

import numpy as np

from mb_model.arrays import FloatArray, IntArray

_LOST = 1e-9            # eigenvalue of a direction that samples do not determine, of the largest


def fit_covariance(slopes: FloatArray, residual: FloatArray, weight: FloatArray,
                   blocks: IntArray) -> FloatArray:
    """Return the covariance of the fitted parameters (p, p).

    slopes (k, p) and residual (k) in units of the residual's deviation; weight (k) of a robust
    loss; blocks (k): number of the block of each sample, between which errors are independent.  The
    sandwich estimator over blocks, each residual enlarged by the leverage of its block as if the
    fit had been made without it; undetermined directions get a huge variance.
    Source: Bell and McCaffrey 2002 (bias reduction in standard errors), the jackknife form.
    """
    size = np.sqrt(np.mean(slopes ** 2, axis=0))
    size[size == 0.0] = 1.0         # what no sample depends on
    rows = slopes / size * np.sqrt(weight)[:, None]
    values, vectors = np.linalg.eigh(rows.T @ rows)
    floor = _LOST * values[-1]
    determined = values > floor
    rows, errors = rows @ vectors[:, determined], residual * np.sqrt(weight)
    # Without its block, a fit changes by (N - A^T A)^-1 A^T e: no matrix is as large as a block.
    changes = []
    for number in range(blocks.max() + 1):
        part, error = rows[blocks == number], errors[blocks == number]
        without = np.diag(values[determined]) - part.T @ part
        changes.append(np.linalg.lstsq(without, part.T @ error, rcond=None)[0])
    changes = np.array(changes) @ vectors[:, determined].T
    covariance = changes.T @ changes + vectors[:, ~determined] @ vectors[:, ~determined].T / floor
    return covariance / np.outer(size, size)
