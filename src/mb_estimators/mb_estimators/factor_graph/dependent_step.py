"""All factors of a time step in dependent coordinates, as one.

Called for thousands of steps by an optimiser: a factor of its own for each kind would spend most of
the time on the way between Python and C++.  Source: Blanco-Claraco et al. 2021, Fig. 2.
"""

import numpy as np

from mb_estimators.factor_graph.factors.constraints import positions, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics
from mb_estimators.factor_graph.factors.linear import euler, trapezoidal
from mb_model.jit import entry
from mb_model.kernel_api import set_time

DYNAMICS = 'coordinate acceleration'      # the block of accelerations in the rows of the dynamics


def deviations(mechanism, settings):
    """Return the standard deviation of each row; 0: must vanish."""
    n, m = mechanism.n, mechanism.m
    return np.sqrt(np.repeat([settings.integration_variance, 0.0, settings.dynamics_variance],
                             [2 * n, 2 * m, n]))


def dynamics_rows(mechanism):
    """Return the rows of the dynamics."""
    n, m = mechanism.n, mechanism.m
    return slice(2 * n + 2 * m, 3 * n + 2 * m)


@entry
def evaluate(models, works, a, b, t, h, explicit, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b at t [s].

    Nodes: see dependent_node.
    Rows: trapezoidal rule, if explicit Euler's, of q (n) and qd (n); positions (m), velocities (m),
    dynamics (n) at b.
    Returns False where the dynamics have no solution.
    """
    model, work = models[0], works[0]
    set_time(model, work, t)
    n, m = model.n, model.m
    if explicit:
        euler(a, b, 0, n, n, h, e, J_a, J_b, 0)
        euler(a, b, n, 2 * n, n, h, e, J_a, J_b, n)
    else:
        trapezoidal(a, b, 0, n, n, h, e, J_a, J_b, 0)
        trapezoidal(a, b, n, 2 * n, n, h, e, J_a, J_b, n)
    positions(model, work, b, 0, e, J_b, 2 * n)
    velocities(model, work, b, 0, n, e, J_b, 2 * n + m)
    return dependent_dynamics(model, work, b, 0, n, 2 * n, -1, e, J_b, 2 * n + 2 * m)
