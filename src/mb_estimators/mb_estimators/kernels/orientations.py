"""Errors of orientations in records of filters: carried over when references follow bodies."""

from mb_estimators.kernels.array_correction import lower_triangularise
from mb_model.jit import entry, kernel
from mb_model.kernel_api import carry_errors, carry_vectors, centre_references


@kernel
def see_rows(charts, g, zd, zdd, rows, share):
    """Turn rows (l, columns) of a matrix, see see_from_bodies; share: 0.5, back again -0.5."""
    accelerations = rows.shape[0] > 2 * g
    for k in range(charts.shape[0]):
        i0, i1, i2 = charts[k, 0], charts[k, 1], charts[k, 2]
        w0, w1, w2 = zd[i0], zd[i1], zd[i2]
        a0, a1, a2 = zdd[i0], zdd[i1], zdd[i2]
        square = w0 * w0 + w1 * w1 + w2 * w2
        for j in range(rows.shape[1]):
            x, y, z = rows[i0, j], rows[i1, j], rows[i2, j]
            rows[g + i0, j] += share * (w1 * z - w2 * y)
            rows[g + i1, j] += share * (w2 * x - w0 * z)
            rows[g + i2, j] += share * (w0 * y - w1 * x)
            if accelerations:
                along = w0 * x + w1 * y + w2 * z
                rows[2 * g + i0, j] += share * (a1 * z - a2 * y + along * w0 + square * x)
                rows[2 * g + i1, j] += share * (a2 * x - a0 * z + along * w1 + square * y)
                rows[2 * g + i2, j] += share * (a0 * y - a1 * x + along * w2 + square * z)


@entry
def see_from_bodies(charts, g, zd, zdd, matrix, both):
    """Write T matrix, with both sides T matrix T^T, of errors e, r, s of z, zd, zdd, in place.

    With the angular velocity w and acceleration a of a body, T leaves e, and makes r + w x e / 2
    of r, s + (a x e + w (w . e) + |w|^2 e) / 2 of s; see mb_model.kernels.chart_errors.
    charts (k, 3): indices in z; zd, zdd (g); matrix (2g or 3g, columns), square with both sides.
    """
    see_rows(charts, g, zd, zdd, matrix, 0.5)
    if both:
        see_rows(charts, g, zd, zdd, matrix.T, 0.5)


@kernel
def transpose(matrix, size):
    """Transpose a matrix (size, size) in place."""
    for i in range(size):
        for j in range(i):
            matrix[i, j], matrix[j, i] = matrix[j, i], matrix[i, j]


@kernel
def make_symmetric(f):
    """Write the mean of f.P and its transpose to f.P."""
    for i in range(f.states):
        for j in range(i):
            f.P[i, j] = f.P[j, i] = 0.5 * (f.P[i, j] + f.P[j, i])


@kernel
def _load_factor(factor, array, size):
    """Write a lower triangular factor (size, size) to an array, with zeros above its diagonal."""
    for i in range(size):
        for j in range(size):
            array[i, j] = factor[i, j] if j <= i else 0.0


@kernel
def _keep_factor(array, factor, size):
    """Make an array (size, size) lower triangular, and write it to a factor."""
    lower_triangularise(array[:], size, size)
    for i in range(size):
        for j in range(i + 1):
            factor[i, j] = array[i, j]


@kernel
def _carry_states(f, g, indices, changes):
    """Carry the rows of f.P over: T P."""
    carry_errors(changes, indices, g, f.P, f.states)
    if f.motion == 3 * g:
        carry_vectors(changes, indices, 2 * g, f.P, f.states)


@entry
def follow_bodies(models, works, filters, indices, changes):
    """Move the references of orientations to the bodies, and carry f.P over: T P T^T.

    indices (charts, 3) in z, changes: of mb_model.kernels.chart_errors.  Returns whether any moved.
    """
    if not centre_references(models, works, changes):
        return False
    f, g = filters[0], models[0].g
    _carry_states(f, g, indices, changes)
    transpose(f.P, f.states)
    _carry_states(f, g, indices, changes)
    make_symmetric(f)
    return True


@entry
def follow_with_states(models, works, filters, indices, changes):
    """Do what follow_bodies does where f.x has z and zd themselves, and no accelerations behind."""
    if not centre_references(models, works, changes):
        return False
    work, f, g = works[0], filters[0], models[0].g
    for _ in range(2):
        carry_errors(changes, indices, g, f.P, f.states)
        transpose(f.P, f.states)
    make_symmetric(f)
    for k in range(g):
        f.x[k], f.x[g + k] = work.z[k], work.zd[k]
    return True


@entry
def follow_bodies_by_factor(models, works, filters, indices, changes):
    """Do what follow_bodies does for DEPENDENT: indices in q, rates n later, P = S S^T."""
    if not centre_references(models, works, changes):
        return False
    f, size = filters[0], filters[0].states
    _load_factor(f.factor, f.array, size)
    carry_errors(changes, indices, models[0].n, f.array, size)
    _keep_factor(f.array, f.factor, size)
    return True


@entry
def follow_with_points(models, works, filters, sigmas, indices, changes):
    """After follow_bodies has moved references: carry sigma points and the factor of P over."""
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    g, size = model.g, f.states
    carry_errors(changes, indices, g, sigma.points[:].T, sigma.count)
    for k in range(g):
        sigma.mean[k], sigma.mean[g + k] = work.z[k], work.zd[k]
    if sigma.square_root == 1:
        _load_factor(sigma.factor, sigma.array, size)
        carry_errors(changes, indices, g, sigma.array, size)
        _keep_factor(sigma.array, sigma.factor, size)


@entry
def follow_with_accelerations(models, works, sigmas, indices, changes):
    """After follow_bodies has moved references: take zdd over, and the factor of its covariance."""
    work, sigma, g = works[0], sigmas[0], models[0].g
    for i in range(g):
        sigma.zdd[i] = work.zdd[i]
    _load_factor(sigma.factor, sigma.array, g)
    carry_vectors(changes, indices, 0, sigma.array, g)
    _keep_factor(sigma.array, sigma.factor, g)
