"""What steps of the continuous filters as published share, whatever their states are.

With x' = F(x) + K (o - h(x)) at both ends of a step h, the trapezoidal rule is

    g = 2/h (x - x0) - x0' - F(x) - K (o - h(x)) = 0,

which Newton's iteration solves by the tangent 2/h I - f + K H.
Source: Rodriguez et al. 2023, Eqs. (24)-(26), with the mass matrix divided out.
"""

from math import sqrt

from mb_model.jit import kernel
from mb_model.kernel_api import add_information, add_product, information_gain, lu_factor, lu_solve

TOLERANCE = 1e-5          # of the norm of g: Rodriguez et al. 2023, Sec. 12.1
ITERATIONS = 30


@kernel
def begin_step(c, size, h):
    """Make the present end of the last step the beginning of the next one, of h [s].

    At the end of that no reading acts yet.
    """
    c.step = h
    for i in range(size):
        c.begin_x[i], c.begin_rate[i] = c.x[i], c.rate[i] + c.pull[i]
        for j in range(size):
            c.begin_P[i, j], c.begin_f[i, j] = c.P[i, j], c.f[i, j]
            c.begin_information[i, j] = c.information[i, j]
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
def keep_covariance(c, size):
    """Keep the predicted covariance; forget_step returns to it."""
    for i in range(size):
        for j in range(size):
            c.predicted_P[i, j] = c.P[i, j]


@kernel
def forget_step(c, size):
    """Go back to the predicted covariance, at an end where no reading acts."""
    for i in range(size):
        for j in range(size):
            c.P[i, j] = c.predicted_P[i, j]
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
