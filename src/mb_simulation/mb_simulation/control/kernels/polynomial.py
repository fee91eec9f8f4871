"""Motions of piecewise polynomials."""

import numpy as np

from mb_model.jit import entry


@entry
def evaluate(breaks, coefficients, t, out):
    """Write value, velocity and acceleration at t to out (3, g).

    breaks (k + 1): where pieces begin, and the end; coefficients (degree + 1, k, g): of falling
    powers of the time since the beginning of a piece.  t must be between the first and last break.
    """
    piece = min(np.searchsorted(breaks, t, side='right') - 1, coefficients.shape[1] - 1)
    u = t - breaks[piece]
    for k in range(out.shape[1]):
        z, zd, zdd = 0.0, 0.0, 0.0
        for power in range(coefficients.shape[0]):
            zdd = zdd * u + zd
            zd = zd * u + z
            z = z * u + coefficients[power, piece, k]
        out[0, k], out[1, k], out[2, k] = z, zd, 2.0 * zdd
