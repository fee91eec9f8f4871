"""Likelihood of innovations in a frozen linear system, with exact derivatives by its noises."""

from math import log, pi

from mb_model.jit import entry, kernel


@kernel
def _write_product(A, M, product):
    """Write A M (l, l); zeros of A are left out: most rows are of constants."""
    size = A.shape[0]
    for i in range(size):
        for j in range(size):
            product[i, j] = 0.0
        for k in range(size):
            if A[i, k] != 0.0:
                for j in range(size):
                    product[i, j] += A[i, k] * M[k, j]


@kernel
def _move_covariance(A, M, product):
    """Make a symmetric matrix M (l, l) A M A^T."""
    size = A.shape[0]
    _write_product(A, M, product)
    for i in range(size):
        for j in range(size):
            M[i, j] = 0.0
    for j in range(size):
        for k in range(size):
            if A[j, k] != 0.0:
                for i in range(size):
                    M[i, j] += product[i, k] * A[j, k]


@kernel
def _move(A, b, units, densities, x, P, dx, dP, by_start, product, vector):
    """Move mean, covariance, their derivatives, and by_start on by a transition A less a shift b.

    units (d, l, l): the noise of a unit of each density.
    """
    size = A.shape[0]
    for c in range(dx.shape[0]):
        for i in range(size):
            vector[i] = dx[c, i]
        for i in range(size):
            dx[c, i] = 0.0
            for k in range(size):
                dx[c, i] += A[i, k] * vector[k]
        _move_covariance(A, dP[c], product)
    for i in range(size):
        vector[i] = x[i]
    for i in range(size):
        x[i] = -b[i]
        for k in range(size):
            x[i] += A[i, k] * vector[k]
    _move_covariance(A, P, product)
    _write_product(A, by_start, product)
    for i in range(size):
        for j in range(size):
            by_start[i, j] = product[i, j]
            for c in range(densities.size):
                added = densities[c] * units[c, i, j]
                P[i, j] += added
                dP[c, i, j] += added


@kernel
def _take_in(h, nu, s, gain, x, P, dx, dP, dnu, ds, by_start, by_reading, vector):
    """Correct mean, covariance, derivatives and by_start by one reading of h (l).

    nu, s: its innovation and their variance, dnu, ds (p): their derivatives; gain (l): P h / s.
    Written: by_reading (l), how it changes with the start.
    """
    size = h.size
    for c in range(ds.size):
        for i in range(size):
            vector[i] = -gain[i] * ds[c]
            for j in range(size):
                if h[j] != 0.0:
                    vector[i] += dP[c, i, j] * h[j]
            vector[i] /= s              # how the gain changes
            dx[c, i] += vector[i] * nu + gain[i] * dnu[c]
        for i in range(size):
            for j in range(size):
                dP[c, i, j] -= (gain[i] * gain[j] * ds[c]
                                + s * (vector[i] * gain[j] + gain[i] * vector[j]))
    for j in range(size):
        by_reading[j] = 0.0
        for i in range(size):
            if h[i] != 0.0:
                by_reading[j] += h[i] * by_start[i, j]
    for i in range(size):
        x[i] += gain[i] * nu
        for j in range(size):
            P[i, j] -= s * gain[i] * gain[j]
            by_start[i, j] -= gain[i] * by_reading[j]


@entry
def frozen_likelihood(transitions, shifts, units, H, y, there, owner, felt, counted, densities,
                      variances, x, P, dx, dP, by_start, product, vectors, derivatives, gradient,
                      information, score, precision, nu, s):
    """Return the log-likelihood of innovations y (k, c), where `there` (k, c), by their noises.

        e_k = A_k e_k-1 - b_k + w_k,  y_k = H_k e_k + v_k

    for errors e (l), at first of mean x and covariance P; transitions A (k, l, l) and shifts b
    (k, l) lead to each instant.  units (k, d, l, l): the covariance of w by a unit of each density
    (d); owner (c): which of the variances (r) a channel has; felt (k, c, d): what a unit of a
    density adds to it; counted (k): 1 where readings count, which are taken in anyway.

    One reading after the other, whose noises are independent.  Written: gradient (d + r) by the
    logarithms of densities and variances, their Fisher information, of which the part of the
    innovations is as they are (Segal and Weinstein 1989); score (l) and precision (l, l), what
    counted readings say of the start; nu and s (k, c), innovations and their variances.
    Scratch: dx (d + r, l), dP, by_start, product (l, l), vectors (3, l), derivatives (2, d + r).
    """
    count, total = densities.size, 0.0
    vector, gain, by_reading, dnu, ds = (
        vectors[0], vectors[1], vectors[2], derivatives[0], derivatives[1])
    for k in range(y.shape[0]):
        _move(transitions[k], shifts[k], units[k], densities, x, P, dx, dP, by_start, product,
              vector)
        for channel in range(y.shape[1]):
            if not there[k, channel]:
                continue
            h, own = H[k, channel], owner[channel]
            for c in range(ds.size):
                ds[c] = dnu[c] = 0.0
            noise = variances[own]
            ds[count + own] = noise
            for c in range(count):
                ds[c] = felt[k, channel, c] * densities[c]
                noise += ds[c]
            innovation, variance = y[k, channel], noise
            for i in range(x.size):
                gain[i] = 0.0
            for j in range(x.size):
                if h[j] != 0.0:
                    innovation -= h[j] * x[j]
                    for i in range(x.size):
                        gain[i] += P[i, j] * h[j]
                    for c in range(ds.size):
                        dnu[c] -= h[j] * dx[c, j]
                        for i in range(x.size):
                            ds[c] += h[i] * dP[c, i, j] * h[j]
            for i in range(x.size):
                variance += h[i] * gain[i]
            for i in range(x.size):
                gain[i] /= variance
            _take_in(h, innovation, variance, gain, x, P, dx, dP, dnu, ds, by_start, by_reading,
                     vector)
            nu[k, channel], s[k, channel] = innovation, variance
            if not counted[k]:
                continue
            total -= 0.5 * (log(2.0 * pi * variance) + innovation * innovation / variance)
            for c in range(ds.size):
                share = ds[c] / variance
                gradient[c] -= (0.5 * share * (1.0 - innovation * innovation / variance)
                                + innovation * dnu[c] / variance)
                for d in range(ds.size):
                    information[c, d] += (0.5 * share * ds[d] / variance
                                          + dnu[c] * dnu[d] / variance)
            for i in range(x.size):
                score[i] += by_reading[i] * innovation / variance
                for j in range(x.size):
                    precision[i, j] += by_reading[i] * by_reading[j] / variance
    return total
