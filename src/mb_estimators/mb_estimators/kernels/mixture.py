"""A filter put at the mean of several ones."""

from mb_estimators.kernels.correction import move_model
from mb_model.jit import entry
from mb_model.kernel_api import (
    apply_acceleration,
    forward_dynamics,
    linearise,
    solve_multipliers,
)


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
