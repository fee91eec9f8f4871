"""Errors of orientations in records of filters: carried over when references follow bodies."""

from mb_estimators.kernels.triangular import lower_triangularise
from mb_model.jit import entry, kernel
from mb_model.kernel_api import carry_errors, carry_vectors, centre_references


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
def _carry_states(f, g, places, changes):
    """Carry the rows of f.P over: T P."""
    carry_errors(changes, places, g, f.P, f.states)
    if f.motion == 3 * g:
        carry_vectors(changes, places, 2 * g, f.P, f.states)


@entry
def follow_bodies(models, works, filters, places, changes):
    """Move the references of orientations to the bodies, and carry f.P over: T P T^T.

    places (charts, 3) in z, changes: of mb_model.kernels.chart_errors.  Returns whether any moved.
    """
    if not centre_references(models, works, changes):
        return False
    f, g = filters[0], models[0].g
    _carry_states(f, g, places, changes)
    transpose(f.P, f.states)
    _carry_states(f, g, places, changes)
    make_symmetric(f)
    return True


@entry
def follow_with_states(models, works, filters, places, changes):
    """Do what follow_bodies does where f.x has z and zd themselves, and no accelerations behind."""
    if not centre_references(models, works, changes):
        return False
    work, f, g = works[0], filters[0], models[0].g
    for _ in range(2):
        carry_errors(changes, places, g, f.P, f.states)
        transpose(f.P, f.states)
    make_symmetric(f)
    for k in range(g):
        f.x[k], f.x[g + k] = work.z[k], work.zd[k]
    return True


@entry
def follow_bodies_by_factor(models, works, filters, places, changes):
    """Do what follow_bodies does for DEPENDENT: places in q, rates n later, P = S S^T."""
    if not centre_references(models, works, changes):
        return False
    f, size = filters[0], filters[0].states
    _load_factor(f.factor, f.array, size)
    carry_errors(changes, places, models[0].n, f.array, size)
    _keep_factor(f.array, f.factor, size)
    return True


@entry
def follow_with_points(models, works, filters, sigmas, places, changes):
    """After follow_bodies has moved references: carry sigma points and the factor of P over."""
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    g, size = model.g, f.states
    carry_errors(changes, places, g, sigma.points[:].T, sigma.count)
    for k in range(g):
        sigma.mean[k], sigma.mean[g + k] = work.z[k], work.zd[k]
    if sigma.square_root == 1:
        _load_factor(sigma.factor, sigma.array, size)
        carry_errors(changes, places, g, sigma.array, size)
        _keep_factor(sigma.array, sigma.factor, size)


@entry
def follow_with_accelerations(models, works, sigmas, places, changes):
    """After follow_bodies has moved references: take zdd over, and the factor of its covariance."""
    work, sigma, g = works[0], sigmas[0], models[0].g
    for i in range(g):
        sigma.zdd[i] = work.zdd[i]
    _load_factor(sigma.factor, sigma.array, g)
    carry_vectors(changes, places, 0, sigma.array, g)
    _keep_factor(sigma.array, sigma.factor, g)
