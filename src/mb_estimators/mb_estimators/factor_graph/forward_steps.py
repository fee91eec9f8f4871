"""All factors of a time step of forward dynamics, as one: in dependent or independent coordinates.

Called for thousands of steps by an optimiser: a factor of its own for each kind would spend most of
the time between Python and C++.  Source: Blanco-Claraco et al. 2021, Figs. 2 and 3.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mb_estimators.factor_graph.factors.constraints import accelerations, positions, tie, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics, independent_dynamics
from mb_estimators.factor_graph.factors.linear import equality, euler, trapezoidal
from mb_estimators.factor_graph.nodes import dependent_node, independent_node
from mb_estimators.filter.layout import Layout
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.jit import entry, kernel
from mb_model.kernel_api import set_time


@kernel
def _integrate(a, b, x, size, h, explicit, e, J_a, J_b):
    """Rows of positions and velocities, from x on in the nodes: trapezoidal or Euler's rule."""
    if explicit:
        euler(a, b, x, x + size, size, h, e, J_a, J_b, 0)
        euler(a, b, x + size, x + 2 * size, size, h, e, J_a, J_b, size)
    else:
        trapezoidal(a, b, x, x + size, size, h, e, J_a, J_b, 0)
        trapezoidal(a, b, x + size, x + 2 * size, size, h, e, J_a, J_b, size)


@entry
def dependent_step(models, works, a, b, t, h, explicit, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b at t [s].

    Nodes: see dependent_node.
    Rows: trapezoidal rule, if explicit Euler's, of q (n) and qd (n); positions (m), velocities (m),
    dynamics (n) at b.
    Returns False where the dynamics have no solution.
    """
    model, work = models[0], works[0]
    set_time(model, work, t)
    n, m = model.n, model.m
    _integrate(a, b, 0, n, h, explicit, e, J_a, J_b)
    positions(model, work, b, 0, e, J_b, 2 * n)
    velocities(model, work, b, 0, n, e, J_b, 2 * n + m)
    return dependent_dynamics(model, work, b, 0, n, 2 * n, -1, e, J_b, 2 * n + 2 * m)


@entry
def independent_step(models, works, a, b, t, h, explicit, e, J_a, J_b):
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
    _integrate(a, b, 0, g, h, explicit, e, J_a, J_b)
    positions(model, work, b, q, e, J_b, row)
    tie(model, b, q, 0, e, J_b, row + m)
    velocities(model, work, b, q, qd, e, J_b, row + n)
    tie(model, b, qd, g, e, J_b, row + n + m)
    accelerations(model, work, b, q, qd, qdd, e, J_b, row + 2 * n)
    tie(model, b, qdd, 2 * g, e, J_b, row + 2 * n + m)
    equality(a, b, q, n, e, J_a, J_b, row + 3 * n + g)
    return independent_dynamics(model, work, b, 0, g, 2 * g, -1, e, J_b, row + 3 * n)


class StepKind(NamedTuple):
    """A step in some coordinates.

    node(mechanism): the layout of nodes; evaluate: the kernel; deviations(mechanism, settings): the
    standard deviation of each row, 0: must vanish; dynamics(mechanism): the rows of the dynamics;
    accelerations: the block of nodes that these are of.
    """

    node: Callable[[Mechanism], Layout]
    evaluate: Callable[..., bool]
    deviations: Callable[[Mechanism, Any], FloatArray]
    dynamics: Callable[[Mechanism], slice]
    accelerations: str


def _dependent_deviations(mechanism: Mechanism, settings: Any) -> FloatArray:
    n, m = mechanism.n, mechanism.m
    return np.sqrt(np.repeat([settings.integration_variance, 0.0, settings.dynamics_variance],
                             [2 * n, 2 * m, n]))


def _independent_deviations(mechanism: Mechanism, settings: Any) -> FloatArray:
    n, g = mechanism.n, mechanism.g
    return np.sqrt(np.repeat(
        [settings.integration_variance, 0.0, settings.dynamics_variance,
         settings.equality_variance], [2 * g, 3 * n, g, n]))


def _rows(first: int, count: int) -> slice:
    return slice(first, first + count)


STEPS = {
    'dependent': StepKind(
        dependent_node, dependent_step, _dependent_deviations,
        lambda mechanism: _rows(2 * mechanism.n + 2 * mechanism.m, mechanism.n),
        'coordinate acceleration'),
    'independent': StepKind(
        independent_node, independent_step, _independent_deviations,
        lambda mechanism: _rows(2 * mechanism.g + 3 * mechanism.n, mechanism.g),
        'acceleration')}
