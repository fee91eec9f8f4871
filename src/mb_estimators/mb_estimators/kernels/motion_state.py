"""A mechanism where the states z, zd, zdd of a filter are, by kinematics alone."""


from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    SMALL,
    SOLVED,
    follow_position,
    solve_acceleration,
    solve_position,
)
from mb_model.record import MODEL, WORK


@kernel
def distance(model, work, f):
    """Return how far z of f.x is from the mechanism's: the largest, in radians or its sizes."""
    largest = 0.0
    for k in range(model.g):
        change = abs(f.x[k] - work.z[k]) / model.scale[model.independent[k]]
        largest = max(largest, change)
        if change != change:
            return change
    return largest


@separate(MODEL, WORK, FILTER)
def settle_position(model, work, f):
    """Write z, zd, zdd of f.x to work and solve the position problem there.

    Begins at work.q moved by R, which may belong to a place nearby.  Returns False, q and z as
    they were, if the mechanism has no such position.
    """
    g, move = model.g, distance(model, work, f)
    for i in range(model.n):
        f.q0[i] = work.q[i]
    for k in range(g):
        f.z0[k] = work.z[k]
        change = f.x[k] - work.z[k]
        work.z[k], work.zd[k], work.zdd[k] = f.x[k], f.x[g + k], f.x[2 * g + k]
        for i in range(model.n):
            work.q[i] += work.R[i, k] * change
    if move < SMALL and solve_position(model, work) == SOLVED:
        return True
    for i in range(model.n):
        work.q[i] = f.q0[i]
    if follow_position(model, work)[0] == SOLVED and move == move:
        return True
    for i in range(model.n):
        work.q[i] = f.q0[i]
    for k in range(g):
        work.z[k] = f.z0[k]
    return False


@entry
def report_motion(models, works, reported, filters):
    """Bring another workspace, `reported`, to the states, from the filter's, which stays.

    So what a filter is asked for in between has no part in what it goes on to.  Returns False if
    the mechanism has no such position or is singular there.
    """
    model, work, out, f = models[0], works[0], reported[0], filters[0]
    for i in range(model.n_total):          # references of orientations are behind q
        out.q[i] = work.q[i]
    for i in range(model.n):
        for k in range(model.g):
            out.R[i, k] = work.R[i, k]
    for k in range(model.g):
        out.z[k] = work.z[k]
    return settle_position(model, out, f) and solve_acceleration(model, out)
