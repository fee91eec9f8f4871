"""The motion of a whole mechanism from its degrees of freedom, and the forces that it needs."""

from numba import float64, int64

from mb_model.jit import kernel, separate
from mb_model.kernel_api import (
    SOLVED,
    follow_position,
    follow_reference,
    inverse_dynamics,
    reach_position,
)
from mb_model.record import MODEL, WORK

_CLOSED = 1e-7            # violation of a constraint that does not count [m, m^2 or rad]
_CENTRED = 1e-9           # of an orientation's coordinates, which are zero but for rounding [rad]


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


@kernel
def _are_at(model, work, q):
    """Return whether q has the degrees of freedom of work.z."""
    largest = 0.0
    for k in range(model.g):
        largest = max(largest, abs(q[model.independent[k]] - work.z[k]))
    return largest <= _CLOSED


@kernel
def _are_centred(model, q):
    """Return whether orientations in q count from where the bodies are."""
    largest = 0.0
    for k in range(model.charts):
        for axis in range(3):
            largest = max(largest, abs(q[model.chart_coordinate[k, axis]]))
    return largest <= _CENTRED


@separate(MODEL, WORK, WORK['q'], float64[::1], int64)
def find_motion(model, work, start, q, follows):
    """Find the motion at work.z, zd, zdd: at q (n) if it is there and closes the mechanism.

    Else, or if q is empty, from the last position on, or from the start (n).  Where
    references of orientations follow the bodies, q alone says how these are turned: there is no
    motion without it.  Writes all of inverse_dynamics, the needed forces to work.forces.  Returns
    False where there is no motion; the next search begins at the start then.
    """
    if follows and model.charts > 0:
        if q.size != model.n or not _are_centred(model, q):
            return False
        _copy_position(model, work, q)
        for k in range(model.charts):
            follow_reference(model, work, k)
        return _needed_forces(model, work)
    if q.size == model.n and _are_at(model, work, q):
        for row in range(model.n):
            work.q0[row] = work.q[row]
        _copy_position(model, work, q)
        if _needed_forces(model, work):
            return True
        _copy_position(model, work, work.q0)
    for k in range(model.g):
        work.z0[k] = work.z[k]
    if reach_position(model, work) and _needed_forces(model, work):
        return True
    _copy_position(model, work, start)
    for k in range(model.g):
        work.z[k] = work.z0[k]
    if follow_position(model, work)[0] == SOLVED and _needed_forces(model, work):
        return True
    _copy_position(model, work, start)
    return False
