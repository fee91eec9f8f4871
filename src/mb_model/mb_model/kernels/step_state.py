"""The state at the start of a step, kept so that a step that fails leaves it unchanged."""

from math import isfinite

from mb_model.jit import kernel
from mb_model.kernels.time import set_time


@kernel
def keep_independent(model, work):
    """Copy t, q, qd, qdd, z, zd, zdd to t0, q0, ..., zdd0, and the joint coordinates."""
    work.t0 = work.t
    for row in range(model.n):
        work.q0[row], work.qd0[row], work.qdd0[row] = work.q[row], work.qd[row], work.qdd[row]
    for k in range(model.g):
        work.z0[k], work.zd0[k], work.zdd0[k] = work.z[k], work.zd[k], work.zdd[k]
    for k in range(model.joints):
        work.s0[k], work.sd0[k], work.sdd0[k] = work.s[k], work.sd[k], work.sdd[k]


@kernel
def restore_independent(model, work):
    """Copy t0, q0, ..., zdd0 back."""
    set_time(model, work, work.t0)
    for row in range(model.n):
        work.q[row], work.qd[row], work.qdd[row] = work.q0[row], work.qd0[row], work.qdd0[row]
    for k in range(model.g):
        work.z[k], work.zd[k], work.zdd[k] = work.z0[k], work.zd0[k], work.zdd0[k]
    for k in range(model.joints):
        work.s[k], work.sd[k], work.sdd[k] = work.s0[k], work.sd0[k], work.sdd0[k]


@kernel
def expect_added(model, work, time):
    """Guess the added coordinates of q a time after q0: angles are taken in the turn next to it.

    A body may turn by more than half a turn in a step.
    """
    for row in range(model.moving, model.n):
        work.q[row] = work.q0[row] + time * (work.qd0[row] + 0.5 * time * work.qdd0[row])


@kernel
def forces_changed(model, work):
    """Return whether the accelerations in work belong to other forces from outside."""
    changed = work.loads_changed != 0
    for k in range(model.g):
        changed = changed or work.forces[k] != work.forces_used[k]
    for k in range(model.n):
        changed = changed or work.coordinate_forces[k] != work.coordinate_forces_used[k]
    return changed


@kernel
def begin_renewal(model, work):
    """Keep the state if the forces from outside have changed; return whether they have."""
    if not forces_changed(model, work):
        return False
    keep_independent(model, work)
    for row in range(model.m):
        work.lam0[row] = work.lam[row]
    return True


@kernel
def end_renewal(model, work, found):
    """Go back to the state that was kept unless accelerations were found; return whether."""
    if not found:
        restore_independent(model, work)
        for row in range(model.m):
            work.lam[row] = work.lam0[row]
    return found


@kernel
def begin_accelerations(model, work):
    """Take z and zd from q and qd, for accelerations under the present forces."""
    for k in range(model.g):
        coordinate = model.independent[k]
        work.z[k], work.zd[k] = work.q[coordinate], work.qd[coordinate]
    note_forces(model, work)


@kernel
def end_accelerations(model, work, solved):
    """Take zdd from qdd; return whether that is solved and finite."""
    total = 0.0
    for row in range(model.n):
        total += work.qdd[row]
    for k in range(model.g):
        work.zdd[k] = work.qdd[model.independent[k]]
    return solved and isfinite(total)


@kernel
def note_forces(model, work):
    """Note that the accelerations in work belong to the present forces from outside."""
    work.loads_changed = 0
    for k in range(model.g):
        work.forces_used[k] = work.forces[k]
    for k in range(model.n):
        work.coordinate_forces_used[k] = work.coordinate_forces[k]
