"""The start of a filter, and accelerations under forces that change at an instant."""

from mb_model.jit import entry
from mb_model.kernel_api import (
    find_references,
    forward_dynamics,
    linearise,
    set_time,
    solve_multipliers,
)


@entry
def start(models, works):
    """From work.q (solved at t = 0), zd write z, qd, zdd, qdd, lam, A, B.

    Prescribed coordinates have their rates of t = 0.  Returns False if the position is singular.
    """
    model, work = models[0], works[0]
    set_time(model, work, 0.0)
    find_references(models, works)
    for k in range(model.g):
        work.z[k] = work.q[model.independent[k]]
        work.forces[k] = 0.0
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    linearise(model, work)
    return True


@entry
def accelerate(models, works):
    """At work.q (solved), zd, forces: write zdd, qdd, lam; False where the position is singular."""
    model, work = models[0], works[0]
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    return True
