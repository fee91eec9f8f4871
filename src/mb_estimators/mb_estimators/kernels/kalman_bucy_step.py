"""What steps of the continuous filters as published share, whatever their states are.

With x' = F(x) + K (o - h(x)) at both ends of a step h, the trapezoidal rule is

    g = 2/h (x - x0) - x0' - F(x) - K (o - h(x)) = 0,

which Newton's iteration solves by the tangent 2/h I - f + K H.  With the feedback at the end
alone, x0' is F(x0), so that half as much of it acts.
Source: Rodriguez et al. 2023, Eqs. (24)-(26), with the mass matrix divided out.
"""

from math import sqrt

from mb_estimators.kernels.covariance import copy_square, factor_regularised
from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, kernel
from mb_model.kernel_api import (
    add_information,
    add_product,
    information_gain,
    lu_factor,
    lu_solve,
    lu_solve_rows,
)

_ONE, _SQUARE = (L,), (L, L)      # states: motion, then biases

KALMAN_BUCY = RecordType(
    'mb_estimators.kernels.kalman_bucy_step.KALMAN_BUCY', states=[
    ('P', REAL, _SQUARE),                              # covariance of the states
    ('x', REAL, _ONE),                                 # the states
    ('rate', REAL, _ONE),                              # their derivative without feedback
    ('pull', REAL, _ONE),                              # and the feedback K (o - h)
    ('f', REAL, _SQUARE),                              # derivative of the rate by the states
    ('information', REAL, _SQUARE),                    # H^T R^-1 H of the readings
    ('density', REAL, _ONE),                           # of the plant noise, its diagonal
    ('plain', INTEGER),                                # 1: iterate by the tangent (26)
    ('at_end', INTEGER),                               # 1: feedback at the end of a step alone
], begin=[     # the same where the last step began
    ('step', REAL),                                    # its length [s]; 0: there is none
    ('begin_P', REAL, _SQUARE), ('begin_x', REAL, _ONE),
    ('begin_rate', REAL, _ONE),                        # with feedback
    ('begin_f', REAL, _SQUARE), ('begin_information', REAL, _SQUARE),
], correction=[
    ('predicted_P', REAL, _SQUARE),
    ('feedback', REAL, (L, K)),                        # K = P H^T R^-1
    ('missing', REAL, _ONE), ('tangent', REAL, _SQUARE), ('pivots', INTEGER, (2 * L,)),
    ('hamiltonian', REAL, (2 * L, 2 * L)), ('columns', REAL, (L, 2 * L)),
])


@kernel
def move_covariance(c, size):
    """Integrate P' = f P + P f^T - P H^T R^-1 H P + Q over c.step from c.begin_P to c.P.

    Source: Rodriguez et al. 2023, Eq. (16).  Returns False if the result is not positive definite.
    """
    return _step_forward(c, size) if c.at_end == 1 else _integrate_riccati(c, size)


@kernel
def _step_forward(c, size):
    """Take a step of forward Euler: all is where the step begins.

    Returns False if the result is not positive definite, as where h P H^2 / R is beyond 1.
    """
    P, informed, moved = c.begin_P, c.hamiltonian, c.tangent
    for i in range(size):
        for j in range(size):
            informed[i, j] = moved[i, j] = c.P[i, j] = 0.0
    add_product(c.begin_information, P, size, size, size, 1.0, informed)
    add_product(c.begin_f, P, size, size, size, 1.0, moved)
    add_product(P, informed, size, size, size, -1.0, c.P)
    for i in range(size):
        for j in range(i + 1):
            c.P[i, j] = P[i, j] + c.step * (c.P[i, j] + moved[i, j] + moved[j, i])
            c.P[j, i] = c.P[i, j]
        c.P[i, i] += c.step * c.density[i]
    return _keep_positive(c, size)


@kernel
def _integrate_riccati(c, size):
    """Integrate the same by an implicit rule.

    With P = Y X^-1 it is linear, [X; Y]' = L [X; Y], L = [-f^T, H^T R^-1 H; Q, f], and that is what
    the trapezoidal rule integrates, L being the mean of both ends, by which P stays symmetric:
    explicit steps fail where h P H^2 / R is beyond 2, this one does not.
    Source: Schiff and Shnider 1999 (the linear form).
    Returns False if the result is not positive definite.
    """
    _average(c, size)
    _begin(c, size)
    _end(c, size)
    if lu_factor(c.hamiltonian, c.pivots, 2 * size) == 0.0:
        return False
    lu_solve_rows(c.hamiltonian, c.pivots, c.columns, 2 * size, size)
    return _divide(c, size)


@kernel
def _average(c, size):
    """Write h/2 L to c.hamiltonian."""
    part, left = 0.25 * c.step, c.hamiltonian
    for i in range(size):
        for j in range(size):
            left[i, j] = -part * (c.begin_f[j, i] + c.f[j, i])
            left[i, size + j] = part * (c.begin_information[i, j] + c.information[i, j])
            left[size + i, j] = 2.0 * part * c.density[i] if i == j else 0.0
            left[size + i, size + j] = part * (c.begin_f[i, j] + c.f[i, j])


@kernel
def _begin(c, size):
    """Write (I + h/2 L) [I; P], P being that where the step begins, column by column."""
    P, left = c.begin_P, c.hamiltonian
    for j in range(size):
        for i in range(2 * size):
            total = left[i, j]
            for a in range(size):
                total += left[i, size + a] * P[a, j]
            c.columns[j, i] = total
        for i in range(size):
            c.columns[j, size + i] += P[i, j]
        c.columns[j, j] += 1.0


@kernel
def _end(c, size):
    """Make c.hamiltonian I - h/2 L."""
    for i in range(2 * size):
        for j in range(2 * size):
            c.hamiltonian[i, j] = (1.0 if i == j else 0.0) - c.hamiltonian[i, j]


@kernel
def _divide(c, size):
    """Write c.P = Y X^-1, made symmetric; returns whether it is positive definite."""
    transposed, column = c.tangent, c.missing
    for i in range(size):
        for j in range(size):
            transposed[i, j] = c.columns[i, j]
    if lu_factor(transposed, c.pivots, size) == 0.0:
        return False
    for j in range(size):
        for i in range(size):
            column[i] = c.columns[i, size + j]
        lu_solve(transposed, c.pivots, column, size)
        for i in range(size):
            c.P[i, j] = column[i]
    for i in range(size):
        for j in range(i):
            c.P[i, j] = c.P[j, i] = 0.5 * (c.P[i, j] + c.P[j, i])
    return _keep_positive(c, size)


@kernel
def _keep_positive(c, size):
    """Add as little to the variances c.P as makes it positive definite; return whether it is now.

    Readings far more accurate than the prediction leave variances that drown in the rounding of
    those before.
    """
    variances = c.missing
    for i in range(size):
        variances[i] = abs(c.begin_P[i, i]) + abs(c.P[i, i])
    share = factor_regularised(c.P, variances, size, 0.0, c.tangent)
    if share < 0.0:
        return False
    for i in range(size):
        c.P[i, i] += share * variances[i]
    return True


TOLERANCE = 1e-5          # of the norm of g: Rodriguez et al. 2023, Sec. 12.1
ITERATIONS = 30


@kernel
def begin_step(c, size, h):
    """Make the present end of the last step the beginning of the next one, of h [s].

    At the end of that no reading acts yet.
    """
    c.step, share = h, 1.0 - c.at_end
    for i in range(size):
        c.begin_x[i], c.begin_rate[i] = c.x[i], c.rate[i] + share * c.pull[i]
    copy_square(c.P, c.begin_P, size)
    copy_square(c.f, c.begin_f, size)
    copy_square(c.information, c.begin_information, size)
    forget_readings(c, size)


@kernel
def forget_readings(c, size):
    """Let no reading act at the present end."""
    forget_information(c, size)
    for i in range(size):
        c.pull[i] = 0.0


@kernel
def forget_information(c, size):
    """Write c.information = 0."""
    for i in range(size):
        for j in range(size):
            c.information[i, j] = 0.0


@kernel
def inform(c, f):
    """Add H^T R^-1 H of the readings that are there to c.information."""
    add_information(f.H, f.sensor_variance, f.present, f.count, f.states, c.information)


@kernel
def forget_step(c, size):
    """Go back to the predicted covariance, at an end where no reading acts."""
    copy_square(c.predicted_P, c.P, size)
    forget_readings(c, size)


@kernel
def accept_step(c, f):
    """Let the readings of f, differentiated at the corrected end, act on the next step only."""
    forget_information(c, f.states)
    inform(c, f)
    c.step = 0.0


@kernel
def write_gain(c, f):
    """Write c.feedback = K = P H^T R^-1, R being the variances of the readings: Eq. (14)."""
    information_gain(c.P, f.H, f.sensor_variance, f.present, f.count, f.states, c.feedback)


@kernel
def add_pull(c, f, residual):
    """Add K (o - h) to c.pull."""
    for a in range(f.count):
        for i in range(f.states):
            c.pull[i] += c.feedback[i, a] * residual[a]


@kernel
def write_pull(c, f, residual):
    """Write c.pull = K (o - h)."""
    for i in range(f.states):
        c.pull[i] = 0.0
    add_pull(c, f, residual)


@kernel
def write_missing(c, size):
    """Write c.missing = g; return its norm."""
    square = 0.0
    for i in range(size):
        c.missing[i] = (2.0 / c.step * (c.x[i] - c.begin_x[i]) - c.begin_rate[i]
                        - c.rate[i] - c.pull[i])
        square += c.missing[i] * c.missing[i]
    return sqrt(square)


@kernel
def improve(c, f, fed):
    """Take Newton's step from c.missing; returns False where the tangent is singular."""
    size = f.states
    for i in range(size):
        for j in range(size):
            c.tangent[i, j] = (2.0 / c.step if i == j else 0.0) - c.f[i, j]
    if fed:
        add_product(c.feedback, f.H, size, f.count, size, 1.0, c.tangent)
    if lu_factor(c.tangent, c.pivots, size) == 0.0:
        return False
    lu_solve(c.tangent, c.pivots, c.missing, size)
    for i in range(size):
        c.x[i] -= c.missing[i]
    return True
