"""Prediction of all coordinates by the penalty method and the trapezoidal rule."""

from math import sqrt

from mb_estimators.kernels.array_correction import lower_triangularise, take_factor
from mb_estimators.kernels.dependent_equations import constrain
from mb_estimators.kernels.dependent_state import (
    accelerate,
    close,
    keep,
    pass_on_biases,
    return_to_kept,
    spread_covariance,
)
from mb_estimators.kernels.feedback import PULL
from mb_estimators.kernels.observation import velocity_by_position
from mb_estimators.kernels.published_jacobians import differentiate_penalty_method
from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import (
    PENALTY_FORMULATION,
    accelerations,
    bilinear,
    change_along,
    force_change,
    lu_factor,
    lu_solve,
    solve_tangent,
    trapezoidal_iteration_step,
    weighted_bilinear,
)
from mb_model.record import PENALTY, N

PENALTY_STEP = RecordType(
    'mb_estimators.kernels.penalty_prediction.PENALTY_STEP', derivatives=[
    ('qdd_q', REAL, (N, N)), ('qdd_qd', REAL, (N, N)),  # dqdd/dq, dqdd/dqd
], step=[     # the last one, which a correction integrates anew
    ('step', REAL),                                    # its length [s]
    ('begin_q', REAL, (N,)), ('begin_qd', REAL, (N,)), ('begin_qdd', REAL, (N,)),
    ('missing', REAL, (L,)), ('tangent', REAL, (L, L)), ('pivots', INTEGER, (L,)),
], correction=[
    ('feedback', REAL, (L, K)),                        # P H^T
    ('residual', REAL, (K,)),                          # readings minus h, at each iterate
    *PULL,
])


@kernel
def differentiate_penalty(model, work, p):
    """After kernels.penalty.accelerations: write p.qdd_q and p.qdd_qd (n, n), exactly.

    M qdd + phi_q^T lam = Q with lam = alpha (phi_q qdd + v), v = phi_q_dot qd + 2 xi omega phi_q qd
    + omega^2 phi, changes along e by

        M_bar dqdd = dQ - (phi_qq e)^T lam - phi_q^T alpha (phi_qq e qdd + dv)

    with M_bar = M + phi_q^T alpha phi_q.  Rodriguez et al. 2023, Eq. (31), leave out what depends
    on lam.
    """
    n, m, omega = model.n, model.m, work.natural_frequency
    damping, stiffness = 2.0 * work.damping_ratio * omega, omega * omega
    along, still, other, right = work.along, work.still, work.other, work.right
    pushes, rates = work.push_along, work.rate_along
    for row in range(model.n_total):
        along[row] = still[row] = other[row] = 0.0
    for column in range(n):
        along[column] = 1.0
        change_along(model, work.q, work.qd, work.qdd, along, pushes)
        bilinear(model, work.q, work.qd, along, rates)              # phi_q_dot e
        for k in range(m):
            weight = work.penalty / PENALTY * model.stiffness[k]
            slope = work.phi_q[k, column]
            pushes[k] = weight * (pushes[k] + damping * rates[k] + stiffness * slope)
            rates[k] = weight * (2.0 * rates[k] + damping * slope)
        for row in range(n):
            other[row] = 1.0
            right[row] = (force_change(model, work, along, still, other)
                          - weighted_bilinear(model, work.q, other, along, work.lam))
            p.qdd_qd[row, column] = force_change(model, work, still, along, other)
            other[row] = 0.0
            for k in range(m):
                right[row] -= work.phi_q[k, row] * pushes[k]
                p.qdd_qd[row, column] -= work.phi_q[k, row] * rates[k]
        solve_tangent(model, work, right)
        for row in range(n):
            p.qdd_q[row, column], right[row] = right[row], p.qdd_qd[row, column]
        solve_tangent(model, work, right)
        for row in range(n):
            p.qdd_qd[row, column] = right[row]
        along[column] = 0.0


@kernel
def write_step_tangent(p, n):
    """Write [I, -h/2 I; -h/2 qdd_q, I - h/2 qdd_qd]: what the trapezoidal rule has at the end."""
    T, half = p.tangent, 0.5 * p.step
    for i in range(n):
        for j in range(n):
            T[i, j], T[i, n + j] = 0.0, 0.0
            T[n + i, j], T[n + i, n + j] = -half * p.qdd_q[i, j], -half * p.qdd_qd[i, j]
        T[i, i], T[i, n + i] = 1.0, -half
        T[n + i, n + i] += 1.0


_step = trapezoidal_iteration_step


@entry
def predict_penalty(models, works, filters, steps, approximate, h):
    """Step q, qd by the trapezoidal rule over h [s]; propagate their covariance by its derivative.

    approximate: with the published derivatives of accelerations, Eq. (31).
    Source: Rodriguez et al. 2023, Eqs. (16), (28), (30), without measurements.
    Returns False, the state unchanged, if the model cannot.
    """
    model, work, f, p = models[0], works[0], filters[0], steps[0]
    keep(model, work, f)
    if accelerate(model, work) == 0.0 or not accelerations(model, work, PENALTY_FORMULATION):
        return_to_kept(model, work, f)
        return False
    _differentiate(model, work, p, approximate)
    p.step = h
    for i in range(model.n):
        p.begin_q[i], p.begin_qd[i], p.begin_qdd[i] = work.q[i], work.qd[i], work.qdd[i]
    _leave(f, p, model.n)
    moved = _step(model, work, h, PENALTY_FORMULATION)
    if moved:
        _differentiate(model, work, p, approximate)
        moved = (hold_constraints(model, work, f) and accelerate(model, work) != 0.0
                 and _arrive(model, work, f, p))
    if not moved:
        return_to_kept(model, work, f)
        return False
    confine(models, works, filters)
    return True


@kernel
def _differentiate(model, work, p, approximate):
    """After the accelerations: write their derivatives p.qdd_q and p.qdd_qd (n, n)."""
    if not approximate:
        differentiate_penalty(model, work, p)
        return
    n = model.n
    differentiate_penalty_method(model, work, p.tangent)
    for i in range(n):
        for j in range(n):
            p.qdd_q[i, j], p.qdd_qd[i, j] = p.tangent[n + i, j], p.tangent[n + i, n + j]


@kernel
def hold_constraints(model, work, f):
    """Bring q and qd back to the constraints where they leave them by more than the tolerance.

    The penalty alone does that too slowly for large corrections.  The degrees of freedom stay.
    """
    return constrain(model, work, f, 0) <= f.tolerance or close(model, work, f)


@kernel
def confine(models, works, filters):
    """Reduce the covariance to z, zd and biases, with which the other coordinates move.

    The constraints are others where a step or a correction has led than where it began; errors that
    they forbid there are none.  Needs R.
    """
    model, work, f = models[0], works[0], filters[0]
    n, g = model.n, model.g
    count = 2 * g + f.biases
    for k in range(g):
        row = model.independent[k]
        for j in range(f.states):
            f.array[k, j] = f.factor[row, j] if j <= row else 0.0
            f.array[g + k, j] = f.factor[n + row, j] if j <= n + row else 0.0
    for b in range(f.biases):
        for j in range(f.states):
            f.array[2 * g + b, j] = f.factor[2 * n + b, j] if j <= 2 * n + b else 0.0
    lower_triangularise(f.array[:], count, f.states)
    for i in range(count):
        for j in range(count):
            f.factor[i, j] = f.array[i, j] if j <= i else 0.0
    velocity_by_position(model, work)
    spread_covariance(models, works, filters)


@kernel
def _leave(f, p, n):
    """Write (I + h/2 J) S to f.array, P = S S^T, with J = [0, I; qdd_q, qdd_qd] at the start.

    Without the rows of biases, which stay.
    """
    half, array = 0.5 * p.step, f.array
    for column in range(f.states):
        for i in range(n):
            rate = 0.0
            for j in range(n):
                rate += (p.qdd_q[i, j] * f.factor[j, column]
                         + p.qdd_qd[i, j] * f.factor[n + j, column])
            array[i, column] = f.factor[i, column] + half * f.factor[n + i, column]
            array[n + i, column] = f.factor[n + i, column] + half * rate


@kernel
def _arrive(model, work, f, p):
    """Divide f.array by I - h/2 J at the end, which makes it F S, and add the plant noise.

    F is the derivative of the trapezoidal rule's step.  White noise of the accelerations of the
    degrees of freedom moves the other coordinates by R.  Biases walk.  Returns False if F is
    singular.
    """
    n, g, h, size, array = model.n, model.g, p.step, f.states, f.array
    write_step_tangent(p, n)
    if lu_factor(p.tangent, p.pivots, 2 * n) == 0.0:
        return False
    for column in range(size):
        for i in range(2 * n):
            p.missing[i] = array[i, column]
        lu_solve(p.tangent, p.pivots, p.missing, 2 * n)
        for i in range(2 * n):
            array[i, column] = p.missing[i]
    pass_on_biases(f, size + 2 * g, h)
    for i in range(2 * n):
        for b in range(f.biases):
            array[i, size + 2 * g + b] = 0.0
    for k in range(g):
        psd = f.acceleration_psd[k]                    # root of psd [h^3/3, h^2/2; h^2/2, h]
        for i in range(n):
            array[i, size + k] = sqrt(psd * h * h * h / 3.0) * work.R[i, k]
            array[i, size + g + k] = 0.0
            array[n + i, size + k] = sqrt(0.75 * psd * h) * work.R[i, k]
            array[n + i, size + g + k] = 0.5 * sqrt(psd * h) * work.R[i, k]
    lower_triangularise(array[:], size, size + 2 * g + f.biases)
    take_factor(f, 0)
    return True
