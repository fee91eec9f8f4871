"""Mass properties of a body as the numbers in which forces are linear, and which are possible.

Raw, as a mechanism file has them: mass, centre of gravity, inertia about it; (4) in the plane,
(10) in space with the inertia as xx, yy, zz, xy, xz, yz.  Linear: mass m, first moment m c, inertia
about the origin of the body's frame, in the same order.  A body is possible if its pseudo-inertia
is positive definite: mass above zero, and an inertia about the centre of gravity that some
distribution of the mass has.  Source: Wensing, Kim and Slotine 2018.
"""

from collections.abc import Iterator

import numpy as np

from mb_model.arrays import FloatArray

MOMENT = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))      # entries of an inertia in space
_AXES = 'xyz'


def pseudo_basis(dimension: int) -> FloatArray:
    """Return the matrices E (p, d, d): the pseudo-inertia is sum_k linear_k E_k.

    In space [[tr(I)/2 1 - I, m c], [m c^T, m]] (4, 4); in the plane [[I 1, m c], [m c^T, m]]
    (3, 3), which is positive definite where m > 0 and I m > |m c|^2.
    """
    d, moments = dimension, 1 if dimension == 2 else 6
    basis = np.zeros((1 + d + moments, d + 1, d + 1))
    basis[0, d, d] = 1.0
    for axis in range(d):
        basis[1 + axis, axis, d] = basis[1 + axis, d, axis] = 1.0
    if dimension == 2:
        basis[3, [0, 1], [0, 1]] = 1.0
        return basis
    for k, (i, j) in enumerate(MOMENT):
        if i == j:
            basis[4 + k, range(3), range(3)] = 0.5
            basis[4 + k, i, i] = -0.5
        else:
            basis[4 + k, i, j] = basis[4 + k, j, i] = -1.0
    return basis


def linear_of(raw: FloatArray) -> FloatArray:
    """Return the linear numbers of raw ones, (4) or (10)."""
    return np.r_[raw[0], raw[0] * _centre(raw), _moments(raw) + raw[0] * _of_point(_centre(raw))]


def raw_of(linear: FloatArray) -> FloatArray:
    """Return the raw numbers of linear ones, (4) or (10), of a mass other than 0."""
    mass, centre = linear[0], _centre(linear) / linear[0]
    return np.r_[mass, centre, _moments(linear) - mass * _of_point(centre)]


def linear_slopes(raw: FloatArray) -> FloatArray:
    """Return the derivatives of the linear numbers by the raw ones (p, p)."""
    mass, centre = raw[0], _centre(raw)
    size, d = len(raw), len(centre)
    slopes = np.eye(size)
    slopes[1:1 + d, 0], slopes[1 + d:, 0] = centre, _of_point(centre)
    slopes[range(1, 1 + d), range(1, 1 + d)] = mass
    for axis, unit in enumerate(np.eye(d)):
        change = _of_point(centre + unit) - _of_point(centre) - _of_point(unit)
        slopes[1 + d:, 1 + axis] = mass * change
    return slopes


def _centre(numbers: FloatArray) -> FloatArray:
    return numbers[1:3] if len(numbers) == 4 else numbers[1:4]


def _moments(numbers: FloatArray) -> FloatArray:
    return numbers[3:] if len(numbers) == 4 else numbers[4:]


def _of_point(centre: FloatArray) -> FloatArray:
    """Return the inertia about the origin of a unit mass at a point."""
    square = centre @ centre
    if len(centre) == 2:
        return np.array([square])
    return np.array([square * (i == j) - centre[i] * centre[j] for i, j in MOMENT])


def raw_paths(body: str, dimension: int) -> Iterator[str]:
    """Yield the paths of a body's raw numbers in a mechanism file whose inertia is written out."""
    yield f'bodies.{body}.mass'
    yield from (f'bodies.{body}.centre_of_gravity.{axis}' for axis in _AXES[:dimension])
    yield from ([f'bodies.{body}.inertia'] if dimension == 2 else
                [f'bodies.{body}.inertia.{k}' for k in range(6)])


def linear_names(body: str, dimension: int) -> Iterator[str]:
    """Yield names of a body's linear numbers, for sums of them."""
    yield f'{body}.mass'
    yield from (f'{body}.mass*{axis}' for axis in _AXES[:dimension])
    yield from ([f'{body}.inertia about its origin'] if dimension == 2 else
                [f'{body}.I{_AXES[i]}{_AXES[j]} about its origin' for i, j in MOMENT])


def possible_near(linear: FloatArray, size: float) -> FloatArray:
    """Return linear numbers of a body that is surely possible, next to a line or a point.

    size [m]: of the body.  Radii of gyration of a tenth of the largest, or of the size, are added
    where there are less.
    """
    raw = raw_of(linear)
    dimension = 2 if len(raw) == 4 else 3
    if dimension == 2:
        raw[3] = max(raw[3], raw[0] * (0.1 * size) ** 2)
        return linear_of(raw)
    tensor = np.zeros((3, 3))
    for value, (i, j) in zip(raw[4:], MOMENT, strict=True):
        tensor[i, j] = tensor[j, i] = value
    values, vectors = np.linalg.eigh(0.5 * np.trace(tensor) * np.eye(3) - tensor)
    least = 0.01 * max(values.max(), raw[0] * (0.1 * size) ** 2)
    spread = vectors @ np.diag(np.maximum(values, least)) @ vectors.T
    tensor = np.trace(spread) * np.eye(3) - spread
    raw[4:] = [tensor[i, j] for i, j in MOMENT]
    return linear_of(raw)
