"""All factors of a time step of inverse dynamics, as one; see dependent_step.

The graph grows in stages, each from the solution of the last: positions; velocities and
accelerations, by the integrator; closed velocities; forces.  A node is the beginning of a
DependentNode with forces, as far as the stage goes.
Source: Blanco-Claraco et al. 2021, Fig. 4 and Sec. 7.2.
"""

from numba import njit
import numpy as np

from mb_estimators.factor_graph.factors.dependent_dynamics import dependent_dynamics
from mb_estimators.factor_graph.factors.desired import desired
from mb_estimators.factor_graph.factors.equality import equality
from mb_estimators.factor_graph.factors.positions import positions
from mb_estimators.factor_graph.factors.trapezoidal import trapezoidal
from mb_estimators.factor_graph.factors.velocities import velocities

POSITIONS, INTEGRATION, VELOCITIES, FORCES = STAGES = 1, 2, 3, 4


def size(mechanism, stage):
    """Return the size of a node in a stage."""
    n = mechanism.n
    return n if stage < INTEGRATION else 3 * n if stage < FORCES else 3 * n + mechanism.g


def instant_deviations(mechanism, settings, stage):
    """Return the standard deviation of each row of `instant`; 0: must vanish."""
    n, m, g = mechanism.n, mechanism.m, mechanism.g
    variances = np.repeat([settings.following_variance, 0.0, 0.0, settings.dynamics_variance],
                          [g, m, m if stage >= VELOCITIES else 0, n if stage >= FORCES else 0])
    return np.sqrt(variances)


def step_deviations(mechanism, settings, stage):
    """Return the standard deviation of each row of `step`; 0: must vanish."""
    n = mechanism.n
    rates = n if stage >= INTEGRATION else 0
    variances = np.repeat(
        [settings.equality_variance, settings.integration_variance, settings.equality_variance],
        [n, 2 * rates, rates])
    return np.concatenate([np.sqrt(variances), instant_deviations(mechanism, settings, stage)])


@njit(cache=True)
def _instant(model, work, a, motion, stage, e, J_a, row):
    n, m, g = model.n, model.m, model.g
    desired(model, a, 0, motion, e, J_a, row)
    positions(model, work, a, 0, e, J_a, row + g)
    if stage >= VELOCITIES:
        velocities(model, work, a, 0, n, e, J_a, row + g + m)
    if stage >= FORCES:
        return dependent_dynamics(model, work, a, 0, n, 2 * n, 3 * n, e, J_a, row + g + 2 * m)
    return True


@njit(cache=True)
def instant(models, works, a, motion, stage, e, J_a):
    """Write error and Jacobian of a node that is to be at z = motion (g).

    Rows: desired z (g), positions (m), from the third stage on velocities (m), in the fourth
    dynamics (n).  Returns False where the dynamics have no solution.
    """
    return _instant(models[0], works[0], a, motion, stage, e, J_a, 0)


@njit(cache=True)
def step(models, works, a, b, motion, stage, h, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b, and those of b alone.

    Rows: soft equality of q (n), from the second stage on trapezoidal rule of q and qd (2n) and
    soft equality of qdd (n); then those of `instant` at b.
    """
    model, n = models[0], models[0].n
    equality(a, b, 0, n, e, J_a, J_b, 0)
    row = n
    if stage >= INTEGRATION:
        trapezoidal(a, b, 0, n, n, h, e, J_a, J_b, n)
        trapezoidal(a, b, n, 2 * n, n, h, e, J_a, J_b, 2 * n)
        equality(a, b, 2 * n, n, e, J_a, J_b, 3 * n)
        row = 4 * n
    return _instant(model, works[0], b, motion, stage, e, J_b, row)
