"""The feedback of readings in a step that is integrated anew, however exact they are.

Where m is missing in the equations of a step of tangent T, and readings are r off, Newton's
iteration solves

    (T + K H) dx = m + K r,    K = P H^T R^-1.

Beside K H of exact sensors T is lost to rounding.  So the pull of the readings is an unknown, too,
l = R^-1 (r - H dx), in equations without R^-1:

    T dx = m + P H^T l,    (H T^-1 P H^T + R) l = r - H T^-1 m.
"""

from math import sqrt

from mb_estimators.kernels.covariance import SHARES
from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, kernel
from mb_model.kernel_api import lu_factor, lu_solve, lu_solve_rows

PULL = [     # of k readings
    ('noise', REAL, (K,)),                             # R, its diagonal
    ('deviation', REAL, (K,)),                         # root of the diagonal of H P H^T + R
    ('moved', REAL, (K, L)),                           # (T^-1 P H^T)^T
    ('stiffness', REAL, (K, K)),                       # H T^-1 P H^T + R by deviations, factorised
    ('order', INTEGER, (K,)),
    ('pull', REAL, (K,)),                              # l, by deviations
]

FEEDBACK = RecordType('mb_estimators.kernels.feedback.FEEDBACK', correction=PULL)


@kernel
def begin_feedback(c, H, feedback, count, size):
    """After c.noise (count) and feedback = P H^T (size, count): write c.deviation."""
    for a in range(count):
        variance = c.noise[a]
        for i in range(size):
            variance += H[a, i] * feedback[i, a]
        c.deviation[a] = sqrt(variance)


@kernel
def factor_with_feedback(c, tangent, pivots, H, feedback, count, size):
    """Factorise T (size, size) in place, and c.stiffness; H (count, size) is of where T is.

    Sensors that agree far better than the prediction knows count as if they had as much more noise
    as their equations need.  Returns False if T is singular.
    """
    if lu_factor(tangent, pivots, size) == 0.0:
        return False
    for a in range(count):
        for i in range(size):
            c.moved[a, i] = feedback[i, a]
    lu_solve_rows(tangent, pivots, c.moved, size, count)
    for share in SHARES:
        for a in range(count):
            for b in range(count):
                total = c.noise[a] if a == b else 0.0
                for i in range(size):
                    total += H[a, i] * c.moved[b, i]
                c.stiffness[a, b] = total / (c.deviation[a] * c.deviation[b])
            c.stiffness[a, a] += share
        if lu_factor(c.stiffness, c.order, count) != 0.0:
            return True
    return False


@kernel
def solve_with_feedback(c, tangent, pivots, H, residual, count, size, missing):
    """Solve for dx (size), in place of what is missing, after factor_with_feedback.

    residual (count): readings minus what they would be now.
    """
    lu_solve(tangent, pivots, missing, size)
    for a in range(count):
        total = residual[a]
        for i in range(size):
            total -= H[a, i] * missing[i]
        c.pull[a] = total / c.deviation[a]
    lu_solve(c.stiffness, c.order, c.pull, count)
    for a in range(count):
        pull = c.pull[a] / c.deviation[a]
        for i in range(size):
            missing[i] += c.moved[a, i] * pull
