"""Whether equations of motion that are more than the masses agree on these.

With an unknown force b on equation i beside the masses, that equation says nothing: the others
alone give the masses.  White residual r, columns A of the masses and u of b, and the part w of u
across A, by least squares:

    b = -w^T r / w^T w,    masses without equation i = masses - (A^T A)^-1 A^T u b

b is zero but for the noise, whose variance is 1 / w^T w, and for wrong factors, each by
-w^T v / w^T w.  A force that stays beyond both contradicts the others: then the deviation of a
mass covers what it is without equation i.
Source: added-variable regression (Cook and Weisberg 1982, Sec. 2.3.2).
"""

from math import exp, sqrt

from mb_model.jit import kernel
from mb_model.kernel_api import cholesky_solve, solve_lower

_NEEDED = 1e-8            # share of u across A below which no equation can be missed
DEVIATIONS = 4.0         # of a force that contradicts


@kernel
def _across(instant, g, i):
    """Write u of equation i to instant.column, and to instant.without (k) what b does to masses.

    Leaves w in instant.column; returns w^T w, 0.0 where the masses need the equation.
    """
    column, without = instant.column, instant.without
    for k in range(g):
        column[k] = 1.0 if k == i else 0.0
    solve_lower(instant.factor, column, g)
    whole = 0.0
    for k in range(g):
        whole += column[k] * column[k]
    for j in range(instant.masses):
        total = 0.0
        for k in range(g):
            total += instant.white_by_mass[k, j] * column[k]
        without[j] = total
    cholesky_solve(instant.normal, without, instant.masses)
    across = 0.0
    for k in range(g):
        for j in range(instant.masses):
            column[k] -= instant.white_by_mass[k, j] * without[j]
        across += column[k] * column[k]
    return across if across > _NEEDED * whole else 0.0


@kernel
def _follow(f, instant, g, i, across, dt):
    """Follow the force on equation i as the masses are: at first all instants count alike."""
    share = min(1.0, max(1.0 - exp(-dt / f.time_constant), dt / f.elapsed))
    alike, keep, force = exp(-dt / f.correlation_time), 1.0 - share, 0.0
    for k in range(g):
        force -= instant.column[k] * instant.white_residual[k] / across
    f.off[i] += share * (force - f.off[i])
    shared = alike * f.off_shared[i]
    f.off_variance[i] = keep * keep * f.off_variance[i] + 2.0 * keep * share * shared + (
        share * share / across)
    f.off_shared[i] = keep * shared + share / across
    for c in range(instant.factors):
        slope = 0.0
        for k in range(g):
            slope -= instant.column[k] * instant.white_by_factor[k, c] / across
        f.off_slope[i, c] += share * (slope - f.off_slope[i, c])
    for j in range(instant.masses):
        f.off_mass[i, j] += share * (instant.without[j] * force - f.off_mass[i, j])


@kernel
def _contradicts(f, instant, i):
    """Return whether the force on equation i is more than noise and factors explain."""
    variance = f.off_variance[i]
    for c in range(instant.factors):
        off = f.off_slope[i, c] * f.factor_deviation[c]
        variance += off * off
    return abs(f.off[i]) > DEVIATIONS * sqrt(variance)


@kernel
def follow_agreement(f, instant, g, dt):
    """Add an instant after solve_masses; write f.apart (k); return whether equations contradict.

    apart: how far masses are from those without an equation that contradicts the others [kg].
    """
    contradicted = False
    for j in range(instant.masses):
        f.apart[j] = 0.0
    for i in range(g):
        across = 0.0 if instant.left_out[i] == 1 else _across(instant, g, i)
        if not across > 0.0:
            f.off[i] = f.off_variance[i] = f.off_shared[i] = 0.0
            for j in range(instant.masses):
                f.off_mass[i, j] = 0.0
            continue
        _follow(f, instant, g, i, across, dt)
        if _contradicts(f, instant, i):
            contradicted = True
            for j in range(instant.masses):
                f.apart[j] = max(f.apart[j], abs(f.off_mass[i, j]))
    return contradicted
