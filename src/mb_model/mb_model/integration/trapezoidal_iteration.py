"""Trapezoidal rule for formulations that integrate all coordinates, or joint coordinates.

Solved by substitution, and by Newton's correction once that is slow.
"""

from numba import float64, int64

from mb_model.integration.dynamics import accelerations, choose_coordinates, integrates_joints
from mb_model.integration.stiff_correction import correct_coordinates, correct_joints
from mb_model.jit import also, entry, kernel, separate
from mb_model.kernels.newton import has_converged
from mb_model.kernels.sparse_dynamics import no_joints
from mb_model.kernels.step_state import expect, keep_independent, restore_independent
from mb_model.kernels.storage import by_storage
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

TOLERANCE = 1e-13         # of the last change, in radians and sizes of the mechanism
_ROUNDING = 1e-10         # a change this small that shrinks no more is rounding
_ITERATIONS = 60
_SLOW = 0.3               # a change beyond this share of the last one asks for the correction

_correct_joints = by_storage(correct_joints, no_joints)


@kernel
def _ended(h, position, velocity, before, after):
    """Return position and velocity of a coordinate after h, from the accelerations at both ends."""
    rate = 0.5 * (before + after)
    return position + h * (velocity + 0.5 * h * rate), velocity + h * rate


@kernel
def _assume(model, work, h, formulation):
    """Take the accelerations in work for those at the end: write the end; return its change.

    They are kept as the first of the stages.
    """
    change = 0.0
    if integrates_joints(formulation):
        for i in range(model.joints):      # the independent ones first
            k = work.joint_independent[i] if i < model.g else work.joint_dependent[i - model.g]
            position, velocity = _ended(h, work.s0[k], work.sd0[k], work.sdd0[k], work.sdd[k])
            if i < model.g:
                change += (abs(position - work.s[k]) + h * abs(velocity - work.sd[k])) / (
                    model.joint_size[k])
            work.s[k], work.sd[k], work.joint_stages[0, k] = position, velocity, work.sdd[k]
        expect(model, work, model.moving, h)
        return change
    for row in range(model.n):
        position, velocity = _ended(h, work.q0[row], work.qd0[row], work.qdd0[row], work.qdd[row])
        moved = abs(position - work.q[row]) + h * abs(velocity - work.qd[row])
        change += moved / model.scale[row]
        work.q[row], work.qd[row], work.stages[0, row] = position, velocity, work.qdd[row]
    return change


@kernel
def _correct(model, work, h, formulation):
    """Replace the accelerations in work by those to assume next."""
    if integrates_joints(formulation):
        return _correct_joints(model, work, h, work.joint_stages[0])
    return correct_coordinates(model, work, h, work.stages[0])


@also(SPARSE_MODEL, SPARSE_WORK, float64, int64)
@separate(MODEL, WORK, float64, int64)
def step(model, work, h, formulation):
    """Solve q = q0 + h qd0 + h^2/4 (qdd0 + qdd(q, qd)), qd = qd0 + h/2 (qdd0 + qdd).

    Returns False, the state unchanged, if that fails.
    """
    keep_independent(model, work)
    if not choose_coordinates(model, work, formulation):
        return False
    set_time(model, work, work.t0 + h)
    _assume(model, work, h, formulation)
    slow, last = False, 1e300
    for _ in range(_ITERATIONS):
        if not accelerations(model, work, formulation):
            break
        if slow and not _correct(model, work, h, formulation):
            break
        change = _assume(model, work, h, formulation)
        if has_converged(change, last, TOLERANCE, _ROUNDING, 0.5):
            return accelerations(model, work, formulation)
        if not change < 1e6:
            break
        slow, last = slow or change > _SLOW * last, change
    restore_independent(model, work)
    return False


@entry
def step_trapezoidal_iteration(models, works, h, formulation):
    """See step."""
    return step(models[0], works[0], h, formulation)
