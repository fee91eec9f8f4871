"""Where a filter starts or is put, and its accelerations under forces that change at an instant."""

from mb_estimators.kernels.correction import move_model
from mb_model.jit import entry
from mb_model.kernel_api import (
    apply_acceleration,
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


@entry
def move_to_mean(models, works, filters, x):
    """Put the model at x (z, zd, biases), on its branch; return whether it can be there."""
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    if not forward_dynamics(model, work):
        return False
    for k in range(g):
        f.dx[k], f.dx[g + k] = x[k] - work.z[k], x[g + k] - work.zd[k]
    if not move_model(model, work, f):
        return False
    for b in range(f.biases):
        f.bias[b] = x[f.motion + b]
    linearise(model, work)
    return True


@entry
def accelerate_by_mean(models, works, zdd):
    """Make zdd (g), which several models answer with, the accelerations of the model."""
    model, work = models[0], works[0]
    for k in range(model.g):
        work.zdd[k] = zdd[k]
    apply_acceleration(model, work)
    solve_multipliers(model, work)
