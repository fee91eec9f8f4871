"""Explicit one-step methods for zdd = f(z, zd) or qdd = f(q, qd), given by their tableau."""

from math import nan

from numba import float64, int64

from mb_model.integration.dynamics import (
    accelerations,
    choose_coordinates,
    integrates_all,
    integrates_joints,
)
from mb_model.jit import also, entry, kernel, separate
from mb_model.kernels.step_state import (
    expect,
    forces_changed,
    keep_independent,
    restore_independent,
)
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK


@kernel
def _moved(tableau, stage, h, position0, velocity0, accelerations_so_far, row):
    """Return position and velocity of one coordinate in a stage."""
    stages = tableau.shape[0] - 1
    shift, velocity = 0.0, 0.0
    for j in range(min(stage, stages)):
        shift += tableau[stage, 1 + j] * accelerations_so_far[j, row]
        velocity += tableau[stage, 1 + stages + j] * accelerations_so_far[j, row]
    return (position0 + tableau[stage, 0] * h * velocity0 + h * h * shift,
            velocity0 + h * velocity)


@kernel
def _move(model, work, h, formulation, tableau, stage):
    """Write q, qd of a stage; coordinates that are not integrated get a guess."""
    set_time(model, work, work.t0 + tableau[stage, 0] * h)
    if integrates_joints(formulation):
        for k in range(model.joints):
            work.s[k], work.sd[k] = _moved(tableau, stage, h, work.s0[k], work.sd0[k],
                                           work.joint_stages, k)
        expect(model, work, model.moving, tableau[stage, 0] * h)
        return
    everything = integrates_all(formulation)
    if not everything:
        expect(model, work, 0, tableau[stage, 0] * h)
    for index in range(model.n if everything else model.g):
        row = index if everything else model.independent[index]
        work.q[row], work.qd[row] = _moved(tableau, stage, h, work.q0[row], work.qd0[row],
                                           work.stages, row)


@also(SPARSE_MODEL, SPARSE_WORK, float64, int64, float64[:, ::1])
@separate(MODEL, WORK, float64, int64, float64[:, ::1])
def step(model, work, h, formulation, tableau):
    """Advance work by h [s] with the accelerations of a formulation (see integration.dynamics).

    Runge-Kutta-Nystroem scheme of s stages with accelerations k_j, for each integrated coordinate:

        stage i:  q = q0 + c_i h qd0 + h^2 sum_j a'_ij k_j,     qd = qd0 + h sum_j a_ij k_j
        result :  the same with the last row of the tableau

    tableau (s + 1, 1 + 2 s): rows c_i, a'_i1 ... a'_is, a_i1 ... a_is; its last row has c = 1.
    The accelerations of the result are the first stage of the next step, as long as the forces
    stay.  Returns False, the state unchanged, where the accelerations cannot be solved for.
    """
    stages = tableau.shape[0] - 1
    keep_independent(model, work)
    if not choose_coordinates(model, work, formulation):
        return False
    for stage in range(stages + 1):
        if stage > 0:
            _move(model, work, h, formulation, tableau, stage)
        fresh = stage == 0 and not forces_changed(model, work)
        if not fresh and not accelerations(model, work, formulation):
            restore_independent(model, work)
            work.forces_used[0] = nan
            return False
        if stage < stages:
            for row in range(model.n):
                work.stages[stage, row] = work.qdd[row]
            for k in range(model.joints):
                work.joint_stages[stage, k] = work.sdd[k]
    return True


@entry
def step_explicit(models, works, h, formulation, tableau):
    """See step."""
    return step(models[0], works[0], h, formulation, tableau)
