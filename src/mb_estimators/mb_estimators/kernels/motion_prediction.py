"""Prediction of motion by Taylor's series, whose last derivative walks randomly."""

from math import isfinite

from mb_model.jit import entry, kernel


@entry
def predict_motion(filters, g, h):
    """Move z, zd, zdd, ... of f.x on by h [s] and propagate f.P; return False if not finite.

    The last derivative stays, and walks by f.acceleration_walk.  The mechanism need not follow.
    Source: Mohammad et al. 2025, Eq. (6), with the noise of the continuous motion.
    """
    f = filters[0]
    move_by_series(f, g, h)
    _propagate(f, g, h)
    add_walk(f, g, h)
    total = 0.0
    for i in range(f.motion):
        total += f.x[i] + f.P[i, i]
    return isfinite(total)


@kernel
def move_by_series(f, g, h):
    """Move the derivatives in f.x on by h, the lowest first."""
    orders = f.motion // g
    for order in range(orders):
        for k in range(g):
            factor = 1.0
            for higher in range(order + 1, orders):
                factor *= h / (higher - order)
                f.x[order * g + k] += factor * f.x[higher * g + k]


@kernel
def _propagate(f, g, h):
    """P = F P F^T, F being Taylor's series, with as many products as it has entries."""
    P, orders, size = f.P, f.motion // g, f.states
    for order in range(orders):
        for k in range(g):
            row = order * g + k
            factor = 1.0
            for higher in range(order + 1, orders):
                factor *= h / (higher - order)
                for i in range(size):
                    P[row, i] += factor * P[higher * g + k, i]
    for order in range(orders):
        for k in range(g):
            column = order * g + k
            factor = 1.0
            for higher in range(order + 1, orders):
                factor *= h / (higher - order)
                for i in range(size):
                    P[i, column] += factor * P[i, higher * g + k]
    for i in range(size):
        for j in range(i):
            P[j, i] = P[i, j]


@kernel
def add_walk(f, g, h):
    """Add the random walk of the last states, and what their integrals are moved by it, to P.

    A chain of integrators of white noise of the density q: q h^(a+b+1) / (a! b! (a + b + 1)) where
    a and b integrations are between (Van Loan's method).  As positions and velocities share the
    noise of the acceleration, a reading of this one at the end of a step shows what it has been.
    """
    orders = f.motion // g
    for i in range(orders):
        for j in range(orders):
            a, b = orders - 1 - i, orders - 1 - j
            share = h / (a + b + 1.0)
            for n in range(1, a + 1):
                share *= h / n
            for n in range(1, b + 1):
                share *= h / n
            for k in range(g):
                f.P[i * g + k, j * g + k] += share * f.acceleration_walk[k]
