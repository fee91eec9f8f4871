"""All factors of a time step in independent coordinates, as one.

See dependent_step.  Source: Blanco-Claraco et al. 2021, Fig. 3.
"""

import numpy as np

from mb_estimators.factor_graph.factors.constraints import accelerations, positions, tie, velocities
from mb_estimators.factor_graph.factors.dynamics import independent_dynamics
from mb_estimators.factor_graph.factors.linear import equality, euler, trapezoidal
from mb_model.jit import entry
from mb_model.kernel_api import set_time

DYNAMICS = 'acceleration'      # the block of accelerations in the rows of the dynamics


def deviations(mechanism, settings):
    """Return the standard deviation of each row; 0: must vanish."""
    n, g = mechanism.n, mechanism.g
    return np.sqrt(np.repeat(
        [settings.integration_variance, 0.0, settings.dynamics_variance,
         settings.equality_variance], [2 * g, 3 * n, g, n]))


def dynamics_rows(mechanism):
    """Return the rows of the dynamics."""
    n, g = mechanism.n, mechanism.g
    return slice(2 * g + 3 * n, 3 * g + 3 * n)


@entry
def evaluate(models, works, a, b, t, h, explicit, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b at t [s].

    Nodes: see independent_node.
    Rows: trapezoidal rule, if explicit Euler's, of z (g) and zd (g); positions, velocities and
    accelerations at b with their ties (n each), dynamics at b (g); soft equality of q (n).
    Returns False where b has no position.
    """
    model, work = models[0], works[0]
    set_time(model, work, t)
    n, m, g = model.n, model.m, model.g
    q, qd, qdd, row = 3 * g, 3 * g + n, 3 * g + 2 * n, 2 * g
    if explicit:
        euler(a, b, 0, g, g, h, e, J_a, J_b, 0)
        euler(a, b, g, 2 * g, g, h, e, J_a, J_b, g)
    else:
        trapezoidal(a, b, 0, g, g, h, e, J_a, J_b, 0)
        trapezoidal(a, b, g, 2 * g, g, h, e, J_a, J_b, g)
    positions(model, work, b, q, e, J_b, row)
    tie(model, b, q, 0, e, J_b, row + m)
    velocities(model, work, b, q, qd, e, J_b, row + n)
    tie(model, b, qd, g, e, J_b, row + n + m)
    accelerations(model, work, b, q, qd, qdd, e, J_b, row + 2 * n)
    tie(model, b, qdd, 2 * g, e, J_b, row + 2 * n + m)
    equality(a, b, q, n, e, J_a, J_b, row + 3 * n + g)
    return independent_dynamics(model, work, b, 0, g, 2 * g, -1, e, J_b, row + 3 * n)
