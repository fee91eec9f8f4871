"""Innovations in units of what a filter expects of them, sensor by sensor."""

from math import nan, sqrt

from mb_model.jit import entry


@entry
def whiten(factor, white, ends, residual, covariance):
    """Write L^-1 r for the residual r and the covariance L L^T of each block of channels.

    residual (k), covariance (k, k); ends (b): of the blocks, which begin with channel 0 and follow
    each other; factor (at least k, k): room for L; white (at least k): NaN in a block whose
    covariance is not positive definite.
    """
    begin = 0
    for end in ends:
        positive = True
        for i in range(begin, end):
            for j in range(begin, i + 1):
                rest = covariance[i, j]
                for k in range(begin, j):
                    rest -= factor[i, k] * factor[j, k]
                if j < i:
                    factor[i, j] = rest / factor[j, j]
                elif rest > 0.0:
                    factor[i, i] = sqrt(rest)
                else:
                    positive, factor[i, i] = False, 1.0
            value = residual[i]
            for k in range(begin, i):
                value -= factor[i, k] * white[k]
            white[i] = value / factor[i, i]
        if not positive:
            for i in range(begin, end):
                white[i] = nan
        begin = end
