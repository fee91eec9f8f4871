"""Accelerations under known forces that change while positions and velocities stay.

Filters that are given forces as they were measured predict under their means over steps; at a stamp
the accelerations are those under the forces of that stamp.
"""

from mb_estimators.kernels.dependent_state import accelerate as accelerate_as_it_is
from mb_model.jit import entry
from mb_model.kernel_api import forward_dynamics, solve_multipliers


@entry
def accelerate(models, works):
    """At work.q (solved), zd, forces: write zdd, qdd, lam; False where the position is singular."""
    model, work = models[0], works[0]
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    return True


@entry
def accelerate_torn(models, works):
    """At work.q, qd, which may be a little off the constraints, and forces: write zdd, qdd."""
    return accelerate_as_it_is(models[0], works[0]) != 0.0
