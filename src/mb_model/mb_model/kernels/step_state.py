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
def expect(model, work, first, time):
    """Guess the coordinates of q from `first` on, a time after q0, for what solves for them.

    Angles are taken in the turn next to it: a body may turn by more than half a turn in a step.
    """
    for row in range(first, model.n):
        work.q[row] = work.q0[row] + time * (work.qd0[row] + 0.5 * time * work.qdd0[row])


@kernel
def take_independent(model, work):
    """Take z, zd, zdd from q, qd, qdd."""
    for k in range(model.g):
        coordinate = model.independent[k]
        work.z[k], work.zd[k], work.zdd[k] = (
            work.q[coordinate], work.qd[coordinate], work.qdd[coordinate])


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
def keep_state(model, work):
    """Do what keep_independent does, with the multipliers."""
    keep_independent(model, work)
    for row in range(model.m):
        work.lam0[row] = work.lam[row]


@kernel
def begin_renewal(model, work):
    """Keep the state if the forces from outside have changed; return whether they have."""
    changed = forces_changed(model, work)
    if changed:
        keep_state(model, work)
    return changed


@kernel
def end_renewal(model, work, solved):
    """Go back to the state that was kept unless accelerations are solved for; return whether."""
    if not solved:
        restore_independent(model, work)
        for row in range(model.m):
            work.lam[row] = work.lam0[row]
    return solved


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
