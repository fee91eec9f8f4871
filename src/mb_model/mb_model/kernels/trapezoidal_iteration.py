"""Trapezoidal rule for any formulation, solved by repeated substitution."""

from math import isfinite

from numba import float64, int64

from mb_model.kernels.dynamics import accelerations, integrates_all
from mb_model.kernels.step_state import keep_independent, restore_independent
from mb_model.record import MODEL, WORK
from mb_model.separate import separate

TOLERANCE = 1e-13         # of the last change, in sizes of the coordinate
_ITERATIONS = 60


@separate(MODEL, WORK, float64, int64)
def step(model, work, h, formulation):
    """Solve q = q0 + h qd0 + h^2/4 (qdd0 + qdd(q, qd)), qd = qd0 + h/2 (qdd0 + qdd).

    The iteration needs h small against the shortest period of the mechanism.  Returns False, the
    state unchanged, if it fails.
    """
    keep_independent(model, work)
    everything = integrates_all(formulation)
    for row in range(model.n):
        work.q[row] += h * (work.qd0[row] + 0.5 * h * work.qdd0[row])
        work.qd[row] += h * work.qdd0[row]
    for _ in range(_ITERATIONS):
        if not accelerations(model, work, formulation):
            break
        change = 0.0
        for index in range(model.n if everything else model.g):
            row = index if everything else model.independent[index]
            rate = 0.5 * (work.qdd0[row] + work.qdd[row])
            place = work.q0[row] + h * (work.qd0[row] + 0.5 * h * rate)
            velocity = work.qd0[row] + h * rate
            change += abs(place - work.q[row]) + h * abs(velocity - work.qd[row])
            work.q[row], work.qd[row] = place, velocity
        if change <= TOLERANCE * model.scale[0]:
            return accelerations(model, work, formulation)
        if not isfinite(change):
            break
    restore_independent(model, work)
    return False
