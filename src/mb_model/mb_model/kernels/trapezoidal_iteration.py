"""Trapezoidal rule for any formulation, solved by repeated substitution."""

from math import isfinite

from numba import float64, int64, njit

from mb_model.kernels.dynamics import (
    SEMI_RECURSIVE,
    accelerations,
    choose_coordinates,
    integrates_all,
)
from mb_model.kernels.step_state import keep_independent, restore_independent
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK
from mb_model.separate import separate

TOLERANCE = 1e-13         # of the last change, in sizes of the coordinate
_ITERATIONS = 60


@njit(cache=True)
def _ended(h, place, velocity, before, after):
    """Return place and velocity of a coordinate after h, from the accelerations at both ends."""
    rate = 0.5 * (before + after)
    return place + h * (velocity + 0.5 * h * rate), velocity + h * rate


@njit(cache=True)
def _substitute(model, work, h, formulation):
    """Put the accelerations into the rule for what is integrated; return the change."""
    change = 0.0
    if formulation == SEMI_RECURSIVE:
        for i in range(model.g):
            k = work.joint_independent[i]
            place, velocity = _ended(h, work.s0[k], work.sd0[k], work.sdd0[k], work.sdd[k])
            change += abs(place - work.s[k]) + h * abs(velocity - work.sd[k])
            work.s[k], work.sd[k] = place, velocity
        return change
    everything = integrates_all(formulation)
    for index in range(model.n if everything else model.g):
        row = index if everything else model.independent[index]
        place, velocity = _ended(h, work.q0[row], work.qd0[row], work.qdd0[row], work.qdd[row])
        change += abs(place - work.q[row]) + h * abs(velocity - work.qd[row])
        work.q[row], work.qd[row] = place, velocity
    return change


@separate(MODEL, WORK, float64, int64)
def step(model, work, h, formulation):
    """Solve q = q0 + h qd0 + h^2/4 (qdd0 + qdd(q, qd)), qd = qd0 + h/2 (qdd0 + qdd).

    The iteration needs h small against the shortest period of the mechanism.  Returns False, the
    state unchanged, if it fails.
    """
    keep_independent(model, work)
    if not choose_coordinates(model, work, formulation):
        return False
    set_time(model, work, work.t0 + h)
    for row in range(model.n):
        work.q[row] += h * (work.qd0[row] + 0.5 * h * work.qdd0[row])
        work.qd[row] += h * work.qdd0[row]
    for k in range(model.joints):
        work.s[k] += h * (work.sd0[k] + 0.5 * h * work.sdd0[k])
        work.sd[k] += h * work.sdd0[k]
    for _ in range(_ITERATIONS):
        if not accelerations(model, work, formulation):
            break
        change = _substitute(model, work, h, formulation)
        if change <= TOLERANCE * model.scale[0]:
            return accelerations(model, work, formulation)
        if not isfinite(change):
            break
    restore_independent(model, work)
    return False
