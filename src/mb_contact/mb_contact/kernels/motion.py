"""The motion of a whole mechanism from its degrees of freedom, and the forces that it needs."""

from numba import float64

from mb_model.jit import kernel, separate
from mb_model.kernel_api import SOLVED, follow_position, inverse_dynamics, solve_position
from mb_model.record import MODEL, WORK

_CLOSED = 1e-7            # violation of a constraint that does not count [m, m^2 or rad]


@kernel
def _needed_forces(model, work):
    """Write what the motion needs at work.q; return whether q closes the mechanism."""
    if not inverse_dynamics(model, work, work.forces):
        return False
    largest = 0.0
    for row in range(model.m):
        largest = max(largest, abs(work.phi[row]))
    return largest <= _CLOSED


@kernel
def _copy_position(model, work, q):
    for row in range(model.n):
        work.q[row] = q[row]


@separate(MODEL, WORK, WORK['q'], float64[::1])
def find_motion(model, work, start, q):
    """Find the motion at work.z, zd, zdd: at q (n) if it closes the mechanism.

    Else, or if q is empty, near the last position, or on the way from the start (n).  Writes all of
    inverse_dynamics, the needed forces to work.forces.  Returns False where there is no motion; the
    next search begins at the start then.
    """
    if q.size == model.n:
        for row in range(model.n):
            work.q0[row] = work.q[row]
        _copy_position(model, work, q)
        if _needed_forces(model, work):
            return True
        _copy_position(model, work, work.q0)
    if solve_position(model, work) == SOLVED and _needed_forces(model, work):
        return True
    _copy_position(model, work, start)
    if follow_position(model, work)[0] == SOLVED and _needed_forces(model, work):
        return True
    _copy_position(model, work, start)
    return False
