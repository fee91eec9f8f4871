"""The masses by one instant alone: weighted least squares of the residual."""

from mb_contact.payload.kernels.mass_filter_record import INSTANT
from mb_model.jit import kernel, separate
from mb_model.kernel_api import cholesky_factor, cholesky_solve, solve_lower
from mb_model.record import MODEL

_SINGULAR = 1e-10         # a pivot this small against its diagonal counts as zero
_MATTERS = 1e-3           # friction that changes a mass less does not [kg]


@kernel
def _whiten(instant, g, matrix, out, columns):
    """Write out = factor^-1 matrix (g, columns)."""
    for j in range(columns):
        for k in range(g):
            instant.column[k] = matrix[k, j]
        solve_lower(instant.factor, instant.column, g)
        for k in range(g):
            out[k, j] = instant.column[k]


@kernel
def _whiten_all(instant, g):
    _whiten(instant, g, instant.by_mass, instant.white_by_mass, instant.masses)
    _whiten(instant, g, instant.by_factor, instant.white_by_factor, instant.factors)
    for k in range(g):
        instant.white_residual[k] = instant.residual[k]
    solve_lower(instant.factor, instant.white_residual, g)


@kernel
def _factor_normal(instant, g):
    """Factorise the normal matrix; return False where it does not determine all masses."""
    masses, normal = instant.masses, instant.normal
    for i in range(masses):
        for j in range(i + 1):
            total = 0.0
            for k in range(g):
                total += instant.white_by_mass[k, i] * instant.white_by_mass[k, j]
            normal[i, j] = instant.covariance[i, j] = total
    if not cholesky_factor(normal, masses):
        return False
    for i in range(masses):
        if normal[i, i] * normal[i, i] <= _SINGULAR * instant.covariance[i, i]:
            return False
    return True


@kernel
def _change(instant, g, column):
    """Replace a white column (g), in instant.column, by the masses (k) that cancel it."""
    for j in range(instant.masses):
        total = 0.0
        for k in range(g):
            total -= instant.white_by_mass[k, j] * column[k]
        instant.raw[j] = total
    cholesky_solve(instant.normal, instant.raw, instant.masses)


@separate(MODEL, INSTANT)
def solve_masses(model, instant):
    """From residual, by_mass, by_factor, factor: write raw (k), covariance (k, k), slope (k, f).

    The residual is linear in the masses, so that one step of Newton's iteration from the masses of
    the model is the solution; with more degrees of freedom than masses it is the
    least-squares solution, weighted by the inverse of the noise.  Returns False where the masses
    are not determined.
    Source: Pyrhonen et al. 2023b, Eq. (56).
    """
    g, masses = model.g, instant.masses
    _whiten_all(instant, g)
    if not _factor_normal(instant, g):
        return False
    for f in range(instant.factors):
        for k in range(g):
            instant.column[k] = instant.white_by_factor[k, f]
        _change(instant, g, instant.column)
        for j in range(masses):
            instant.slope[j, f] = instant.raw[j]
    for i in range(masses):
        for j in range(masses):
            instant.raw[j] = 1.0 if i == j else 0.0
        cholesky_solve(instant.normal, instant.raw, masses)
        for j in range(masses):
            instant.covariance[i, j] = instant.raw[j]
    _change(instant, g, instant.white_residual)
    for j in range(masses):
        instant.raw[j] += instant.value[j]
    return True


@kernel
def standing_cylinder(circuit, instant):
    """Write instant.band (k): how far friction of cylinders that stand still may put raw off [kg].

    Returns the first of them that matters, -1 if there is none.
    """
    standing = -1
    for j in range(instant.masses):
        instant.band[j] = 0.0
        for c in range(circuit.cylinders):
            if instant.moving[c] == 0:
                instant.band[j] += abs(instant.slope[j, c])
                if abs(instant.slope[j, c]) > _MATTERS and (standing < 0 or c < standing):
                    standing = c
    return standing
