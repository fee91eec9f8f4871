"""Likelihood of innovations in a frozen linear system, with exact derivatives by its noises.

Matrices (l, l) stand beside each other as blocks of wide rows M (l, (p + 2) l): the covariance of
the errors, its derivatives by p free numbers, and how the errors change with the ones at the start.
"""

from math import log, pi

from mb_estimators.kernels.transition_rows import (
    make_symmetric,
    move_covariances,
    move_vector,
    note_entries,
)
from mb_model.jit import entry, kernel


@kernel
def _move(A, b, units, densities, ties, x, dx, M, columns, product, vector):
    """Move mean, its derivatives, and blocks on by a transition A less a shift b.

    units (d, l, l): the noise of a unit of each density.
    """
    size, p = A.shape[0], dx.shape[0]
    note_entries(A, columns)
    move_covariances(A, columns, M, p + 1, product)
    for c in range(p):
        move_vector(A, columns, dx[c], vector)
    move_vector(A, columns, x, vector)
    for i in range(size):
        x[i] -= b[i]
    for d in range(densities.size):
        if densities[d] == 0.0:
            continue
        for i in range(size):
            for j in range(size):
                if units[d, i, j] != 0.0:
                    added = densities[d] * units[d, i, j]
                    M[i, j] += added
                    for c in range(p):
                        M[i, (c + 1) * size + j] += ties[d, c] * added


@kernel
def _innovate(h, y, x, dx, M, along, dnu, ds):
    """Return the innovation of a reading y, and what P adds to its variance.

    h (l): its derivatives.  Written: along ((p + 2) l), h^T M of blocks that become symmetric, see
    _take_in; dnu (p), derivatives of the innovation; added to ds (p), of the variance.
    """
    size, p, nu, s = h.size, ds.size, y, 0.0
    square = (p + 1) * size
    for j in range(along.size):
        along[j] = 0.0
    for c in range(p):
        dnu[c] = 0.0
    for k in range(size):
        if h[k] == 0.0:
            continue
        nu -= h[k] * x[k]
        for c in range(p):
            dnu[c] -= h[k] * dx[c, k]
        row, half = M[k], 0.5 * h[k]
        for j in range(square):
            along[j] += half * row[j]
        for j in range(square, along.size):
            along[j] += h[k] * row[j]
        for i in range(size):
            for c in range(p + 1):
                along[c * size + i] += half * M[i, c * size + k]
    for k in range(size):
        if h[k] != 0.0:
            s += h[k] * along[k]
            for c in range(p):
                ds[c] += h[k] * along[(c + 1) * size + k]
    return nu, s


@kernel
def _take_in(nu, s, x, dx, M, along, dnu, ds, gain):
    """Correct mean, derivatives and blocks by one reading; along: of _innovate, is lost.

    s: the variance of the innovation nu.  Blocks become B whose mean with their transposed is what
    they are: (B + B^T) / 2.  So each row changes by one multiple of a vector.
    """
    size, p = x.size, ds.size
    for i in range(size):
        gain[i] = along[i] / s
        x[i] += gain[i] * nu
    for c in range(p):
        for i in range(size):
            j = (c + 1) * size + i
            dx[c, i] += (along[j] - gain[i] * ds[c]) / s * nu + gain[i] * dnu[c]
            along[j] = 2.0 * along[j] - gain[i] * ds[c]
    for i in range(size):
        row, factor = M[i], gain[i]
        for j in range(along.size):
            row[j] -= factor * along[j]


@entry
def frozen_likelihood(transitions, shifts, units, H, y, there, owner, felt, counted, densities,
                      variances, ties, x, dx, M, columns, product, along, vectors, derivatives,
                      gradient, information, score, precision, nu, s, rates):
    """Return the log-likelihood of innovations y (k, c), where `there` (k, c), by their noises.

        e_k = A_k e_k-1 - b_k + w_k,  y_k = H_k e_k + v_k

    for errors e (l), at first of mean x and the covariance in M; transitions A (k, l, l) and shifts
    b (k, l) lead to each instant.  units (k, d, l, l): the covariance of w by a unit of each
    density (d); owner (c): which of the variances (r) a channel has; felt (k, c, d): what a unit of
    a density adds to it; counted (k): 1 where readings count, which are taken in anyway; ties
    (d + r, p): how the logarithms of densities and variances depend on free numbers.

    One reading after the other, whose noises are independent.  Written: gradient (p) by the free
    numbers, their Fisher information (p, p), of which the part of the innovations is as they are
    (Segal and Weinstein 1989); score (l) and precision (l, l), what counted readings say of the
    start; nu and s (k, c), innovations and their variances, rates (k, c, p), derivatives of the
    logarithms of these; x, dx (p, l) and M at the end.
    Scratch: columns (l, l + 1), product as M, along ((p + 2) l), vectors (2, l), derivatives
    (2, p).
    """
    count, total, size, p = densities.size, 0.0, x.size, dx.shape[0]
    gain, vector, dnu, ds = vectors[0], vectors[1], derivatives[0], derivatives[1]
    by_reading = along[(p + 1) * size:]
    for k in range(y.shape[0]):
        _move(transitions[k], shifts[k], units[k], densities, ties, x, dx, M, columns, product,
              vector)
        for channel in range(y.shape[1]):
            if not there[k, channel]:
                continue
            own = owner[channel]
            noise = variances[own]
            for c in range(p):
                ds[c] = ties[count + own, c] * noise
            for d in range(count):
                added = felt[k, channel, d] * densities[d]
                noise += added
                for c in range(p):
                    ds[c] += ties[d, c] * added
            innovation, variance = _innovate(H[k, channel], y[k, channel], x, dx, M, along, dnu, ds)
            variance += noise
            _take_in(innovation, variance, x, dx, M, along, dnu, ds, gain)
            nu[k, channel], s[k, channel] = innovation, variance
            for c in range(p):
                rates[k, channel, c] = ds[c] / variance
            if not counted[k]:
                continue
            total -= 0.5 * (log(2.0 * pi * variance) + innovation * innovation / variance)
            for c in range(p):
                share = ds[c] / variance
                gradient[c] -= (0.5 * share * (1.0 - innovation * innovation / variance)
                                + innovation * dnu[c] / variance)
                for d in range(p):
                    information[c, d] += (0.5 * share * ds[d] / variance
                                          + dnu[c] * dnu[d] / variance)
            for i in range(size):
                weight = by_reading[i] / variance
                score[i] += weight * innovation
                for j in range(size):
                    precision[i, j] += weight * by_reading[j]
        make_symmetric(M, p + 1)
    return total
