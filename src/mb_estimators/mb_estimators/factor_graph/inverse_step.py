"""All factors of a time step of inverse dynamics, as one; see dependent_step.

Nodes: see dependent_node, with forces.  Source: Blanco-Claraco et al. 2021, Fig. 4 and Sec. 7.2.
"""

import numpy as np

from mb_estimators.factor_graph.factors.constraints import positions, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics
from mb_estimators.factor_graph.factors.linear import desired, equality, even_change, trapezoidal
from mb_model.jit import entry, kernel


def instant_deviations(mechanism, settings):
    """Return the standard deviation of each row of `instant`; 0: must vanish."""
    n, m, g = mechanism.n, mechanism.m, mechanism.g
    return np.sqrt(np.repeat([settings.following_variance, 0.0, settings.dynamics_variance],
                             [g, 2 * m, n]))


def step_deviations(mechanism, settings):
    """Return the standard deviation of each row of `step`; 0: must vanish."""
    n = mechanism.n
    variances = np.repeat([settings.equality_variance, settings.integration_variance], [n, 2 * n])
    return np.concatenate([np.sqrt(variances), instant_deviations(mechanism, settings)])


def change_deviations(mechanism, settings):
    """Return the standard deviation of each row of `change`."""
    return np.full(mechanism.g, np.sqrt(settings.change_variance))


@kernel
def _instant(model, work, a, motion, e, J_a, row):
    n, m, g = model.n, model.m, model.g
    desired(model, a, 0, motion, e, J_a, row)
    positions(model, work, a, 0, e, J_a, row + g)
    velocities(model, work, a, 0, n, e, J_a, row + g + m)
    return dependent_dynamics(model, work, a, 0, n, 2 * n, 3 * n, e, J_a, row + g + 2 * m)


@entry
def instant(models, works, a, motion, e, J_a):
    """Write error and Jacobian of a node that is to be at z = motion (g).

    Rows: desired z (g), positions (m), velocities (m), dynamics (n).
    Returns False where the dynamics have no solution.
    """
    return _instant(models[0], works[0], a, motion, e, J_a, 0)


@entry
def step(models, works, a, b, motion, h, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b, and of b alone.

    Rows: soft equality of q (n), trapezoidal rule of q (n) and of qd (n); then the rows of
    `instant` at b.
    """
    n = models[0].n
    equality(a, b, 0, n, e, J_a, J_b, 0)
    trapezoidal(a, b, 0, n, n, h, e, J_a, J_b, n)
    trapezoidal(a, b, n, 2 * n, n, h, e, J_a, J_b, 2 * n)
    return _instant(models[0], works[0], b, motion, e, J_b, 3 * n)


@entry
def change(models, a, b, c, h, e, J_a, J_b, J_c):
    """Write error and Jacobians of nodes h [s] apart: even change of accelerations (g rows)."""
    even_change(models[0], a, b, c, 2 * models[0].n, h, e, J_a, J_b, J_c, 0)
    return True
