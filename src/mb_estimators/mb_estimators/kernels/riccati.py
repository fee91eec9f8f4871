"""The Riccati equation of the Kalman-Bucy filter."""


from mb_estimators.kernels.regularisation import factor_regularised
from mb_model.jit import kernel
from mb_model.kernel_api import lu_factor, lu_solve, lu_solve_rows


@kernel
def integrate_riccati(c, size):
    """Integrate P' = f P + P f^T - P H^T R^-1 H P + Q over c.step from c.begin_P to c.P.

    With P = Y X^-1 it is linear, [X; Y]' = L [X; Y], L = [-f^T, H^T R^-1 H; Q, f], and that is what
    the trapezoidal rule integrates, L being the mean of both ends, by which P stays symmetric:
    explicit steps fail where h P H^2 / R is beyond 2, this one does not.
    Source: Rodriguez et al. 2023, Eq. (16); Schiff and Shnider 1999 (the linear form).
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
