"""Exponential Rosenbrock method in the independent coordinates, in sub-steps by their local error.

The linearised equations are solved exactly by the matrix exponential, so stiffness that is linear
asks for no short steps; what the linearisation leaves out does.  Where coordinates are prescribed
over time, the linearisation is one in time, too.
"""

from math import inf, isfinite

from numba import float64, int64

from mb_model.integration.dynamics import accelerations
from mb_model.jit import entry, kernel, separate
from mb_model.kernels.linearisation import linearise
from mb_model.kernels.matrix_exponential import exponential
from mb_model.kernels.step_state import (
    expect,
    forces_changed,
    keep_independent,
    restore_independent,
)
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK

TOLERANCE = 1e-5          # local error of a sub-step, in radians and sizes of the coordinates
MOST_HALVINGS = 12        # a sub-step is at least step / 2^12
_STAGE = 0.75             # of a sub-step, where the equations are compared with their linearisation
_WEIGHT = 2.0 / _STAGE ** 2
_MARGIN, _SHRINK, _GROW = 0.8, 0.2, 4.0      # of the next sub-step
_NEAR = 1e-2              # of a sub-step, over which accelerations are differentiated in time


@kernel
def _exponential(work, n):
    """Write work.flow_map = exp(work.flow_rates); return whether it is finite."""
    return exponential(work.flow_rates, n, work.flow_map, work.flow_product, work.flow_scale)


@kernel
def _write_rates(work, g, h, extra):
    """Write h [0, I; A, B] to work.flow_rates, with `extra` more rows and columns of zeros."""
    J, size = work.flow_rates, 2 * g + extra
    for i in range(size):
        for j in range(size):
            J[i, j] = 0.0
    for i in range(g):
        J[i, g + i] = h
        for j in range(g):
            J[g + i, j] = h * work.A[i, j]
            J[g + i, g + j] = h * work.B[i, j]


@kernel
def _move(model, work, h, motion):
    """Set q, qd of the degrees of freedom to the start plus motion, the others to a guess."""
    g = model.g
    set_time(model, work, work.t0 + h)
    expect(model, work, 0, h)
    for k in range(g):
        coordinate = model.independent[k]
        work.q[coordinate] = work.z0[k] + motion[k]
        work.qd[coordinate] = work.zd0[k] + motion[g + k]


@kernel
def _write_drift(model, work, h, formulation):
    """Write the drift dzdd/dt at constant z, zd, in rad/s^3 or m/s^3: of driven coordinates.

    By a difference of second order within the sub-step: the programs of prescribed motions have no
    third derivative, and an earlier instant may be before a jump.  Its error is 1e-4 of what two
    more derivatives change in h.  Zero where the model cannot: all of it is a local error then.
    """
    drift, still, apart = work.drift, work.flow_sum, _NEAR * h
    for k in range(model.g):
        drift[k] = still[k] = still[model.g + k] = 0.0
    if model.driven == 0:
        return
    for ahead, weight in ((1, 4.0), (2, -1.0)):
        _move(model, work, ahead * apart, still)
        solved = accelerations(model, work, formulation)
        for k in range(model.g):
            drift[k] += weight * (work.zdd[k] - work.zdd0[k]) / (2.0 * apart)
        if not solved:
            drift[:model.g] = 0.0
            return


@kernel
def _linear_motion(model, work, h):
    """Write what the linearised equations move z, zd by: in _STAGE h to flow_shift, in h to
    flow_sum.

    t phi_1(t J) f + t^2 phi_2(t J) v, v = (0, dzdd/dt), at t = h / 4 is a column of the exponential
    of [J t, v t^2, f t; 0, 0, 1; 0, 0, 0]; at its multiples it follows by exp(J t).
    Returns False if it is not finite.
    """
    g, n, quarter = model.g, 2 * model.g, 0.25 * h
    _write_rates(work, g, quarter, 2)
    for k in range(g):
        work.flow_rates[g + k, n] = quarter * quarter * work.drift[k]
        work.flow_rates[k, n + 1] = quarter * work.zd0[k]
        work.flow_rates[g + k, n + 1] = quarter * work.zdd0[k]
    work.flow_rates[n, n + 1] = 1.0
    if not _exponential(work, n + 2):
        return False
    E, motion, before = work.flow_map, work.flow_sum, work.flow_shift
    for k in range(n):
        motion[k] = E[k, n + 1]
    for quarters in range(1, 4):
        for k in range(n):
            before[k] = motion[k]
        for k in range(n):
            motion[k] = quarters * E[k, n] + E[k, n + 1]
            for j in range(n):
                motion[k] += E[k, j] * before[j]
    return True


@kernel
def _nonlinear_part(model, work, h):
    """After the accelerations of the stage: write what they change of the motion to
    flow_change; return its size, the local error.

    phi_3(h J) d is a column of the exponential of [h J, d, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1; 0].
    Velocities count by what they move in h [s].
    """
    g, n, shift, change = model.g, 2 * model.g, work.flow_shift, work.flow_change
    _write_rates(work, g, h, 3)
    for k in range(g):
        rest = work.zdd[k] - work.zdd0[k] - _STAGE * h * work.drift[k]
        for j in range(g):
            rest -= work.A[k, j] * shift[j] + work.B[k, j] * shift[g + j]
        work.flow_rates[g + k, n] = _WEIGHT * h * rest
    work.flow_rates[n, n + 1] = work.flow_rates[n + 1, n + 2] = 1.0
    if not _exponential(work, n + 3):
        return inf
    error = 0.0
    for k in range(g):
        change[k], change[g + k] = work.flow_map[k, n + 2], work.flow_map[g + k, n + 2]
        size = model.scale[model.independent[k]]
        error += (abs(change[k]) + h * abs(change[g + k])) / size
    return error if isfinite(error) else inf


@kernel
def _attempt(model, work, h, formulation):
    """Try a sub-step of h from the start kept in work; return the local error, inf if impossible.

    Only with an error within TOLERANCE is work at the end of it.
    """
    if not _linear_motion(model, work, h):
        return inf
    _move(model, work, _STAGE * h, work.flow_shift)
    if not accelerations(model, work, formulation):
        return inf
    error = _nonlinear_part(model, work, h)
    if error > TOLERANCE:
        return error
    motion, change = work.flow_sum, work.flow_change
    for k in range(2 * model.g):
        motion[k] += change[k]
    _move(model, work, h, motion)
    return error if accelerations(model, work, formulation) else inf


@separate(MODEL, WORK, float64, float64, float64, int64)
def substep(model, work, longest, proposed, span, formulation):
    """Advance by a sub-step; return its length [s] and the length proposed for the next one.

    X += h phi_1(h J) f(t, X) + h^2 phi_2(h J) v + 32/9 h phi_3(h J) d,
    d = f(t + 3/4 h, U) - f(t, X) - J (U - X) - 3/4 h v,
    U = X + 3/4 h phi_1(3/4 h J) f(t, X) + 9/16 h^2 phi_2(3/4 h J) v,
    with X = (z, zd), f = (zd, zdd), J = [0, I; A, B], v = df/dt; of fourth order.  The term of d is
    all that the exponential integration of Pyrhonen et al. 2023a, Eqs. (22)-(27), leaves out, but
    for v; it counts as the local error, which has to stay within TOLERANCE.

    At z, zd, zdd and what linearise reads.  longest: what is left of a step [s]; proposed: the
    length to try first; span: the whole step [s].  work.A and B belong to the start afterwards.
    A length of 0: not even span / 2^MOST_HALVINGS is short enough; the state is unchanged.
    Source: exprb42 of Luan 2017, Appl. Numer. Math. 112; v as by Hochbruck and Ostermann 2010,
    Acta Numerica 19, Sec. 2.4, for equations that depend on time.
    """
    linearise(model, work)
    keep_independent(model, work)
    h, shortest = min(proposed, longest), span / 2.0 ** MOST_HALVINGS
    _write_drift(model, work, h, formulation)
    while True:
        error = _attempt(model, work, h, formulation)
        factor = _MARGIN * (TOLERANCE / max(error, 1e-300)) ** (1.0 / 3.0)
        following = h * max(_SHRINK, min(_GROW, factor))
        if error <= TOLERANCE:
            return h, following
        restore_independent(model, work)
        if h <= shortest:
            return 0.0, 0.0
        h = max(following, shortest)


@kernel
def _return_to(model, work, t, formulation):
    """Go back to the start of a step, whose q is in stages[0] and zd in work.dq."""
    set_time(model, work, t)
    for row in range(model.n):
        work.q[row] = work.stages[0, row]
    for k in range(model.g):
        work.qd[model.independent[k]] = work.dq[k]
    accelerations(model, work, formulation)


@separate(MODEL, WORK, float64, int64)
def step(model, work, h, formulation):
    """Advance work by h [s] in sub-steps; return False where even the shortest is too long.

    For formulations of the degrees of freedom: they leave what linearise reads, so work must come
    from the step before.  False leaves the state unchanged, but for rounding.
    """
    if forces_changed(model, work) and not accelerations(model, work, formulation):
        return False
    for row in range(model.n):
        work.stages[0, row] = work.q[row]
    for k in range(model.g):
        work.dq[k] = work.zd[k]
    t, left, proposed = work.t, h, h
    while left > 0.0:
        done, proposed = substep(model, work, left, proposed, h, formulation)
        if done == 0.0:
            _return_to(model, work, t, formulation)
            return False
        left = left - done if done < left else 0.0
    set_time(model, work, t + h)
    return True


@entry
def step_exponential(models, works, h, formulation):
    """See step."""
    return step(models[0], works[0], h, formulation)
