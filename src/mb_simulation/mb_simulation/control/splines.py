"""Trajectories that are splines: through the rows of a CSV file, and at random.

Random motion stays in a region and within limits, from rest to rest.
"""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BSpline, make_interp_spline

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_simulation.control.paths import Limits, line
from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, chain, of_spline

_LEAST_ROWS = 4


def trajectory_file(path: str | Path, mechanism: Mechanism, start: FloatArray,
                    limits: Limits) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory through the rows of a file, from start (g) to its first row.

    Its columns are t [s] and the degrees of freedom of a Mechanism by name; the motion through its
    rows is smooth (a spline of degree 5), from rest to rest.  Raises OSError, ValueError naming
    file and row.
    """
    t, z = _rows(path, mechanism)
    still = [(1, np.zeros(mechanism.g)), (2, np.zeros(mechanism.g))]
    motion = of_spline(make_interp_spline(t, z, k=5, bc_type=(still, still)))
    return chain([line(start, z[0], limits), motion])


def _rows(path: str | Path, mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return times (k) and degrees of freedom (k, g) of a file."""
    with open(path, newline='', encoding='utf-8') as stream:
        rows = csv.reader(stream)
        try:
            header = [name.strip() for name in next(rows, [])]
            expected = ['t', *mechanism.independent]
            if 't' not in header:       # any file: nothing of it is quoted
                raise ValueError(f'{path}: row 1 must name the columns {",".join(expected)}')
            if sorted(header) != sorted(expected):
                raise ValueError(f'{path}: columns {",".join(header)} must be '
                                 f'{",".join(expected)}')
            numbers = [_numbers(path, number, row, header)
                     for number, row in enumerate(rows, 2) if row]
        except csv.Error as error:
            raise ValueError(f'{path}: not readable as CSV ({error})') from None
    if len(numbers) < _LEAST_ROWS:
        raise ValueError(f'{path}: {len(numbers)} rows, expected at least {_LEAST_ROWS}')
    values = np.array(numbers)[:, [header.index(name) for name in expected]]
    if not (np.diff(values[:, 0]) > 0.0).all():
        row = 2 + int(np.argmax(np.diff(values[:, 0]) <= 0.0)) + 1
        raise ValueError(f'{path}: row {row}: t must grow')
    return values[:, 0], values[:, 1:]


def _numbers(path: str | Path, number: int, row: list[str], header: list[str]) -> list[float]:
    """Return the numbers of a row."""
    try:
        values = [float(value) for value in row]
    except ValueError:
        values = [np.nan]
    if len(values) != len(header) or not np.isfinite(values).all():
        raise ValueError(f'{path}: row {number}: {",".join(row)} must be {len(header)} numbers')
    return values


_DEGREE = 5
_STILL = _DEGREE + 1      # equal control points in a row that make the motion rest at them


def random_motion(start: ArrayLike, reach: float, turn: float, limits: Limits, duration: float,
                  seed: int) -> PolynomialTrajectory:
    """Return a PolynomialTrajectory of at least `duration` [s] that ends where it started.

    It is a B-spline, so it never leaves the region of its control points, which is convex: lengths
    within a ball of radius `reach` [m] about the start (g), angles within +-`turn` [rad] of it.
    Every target is repeated up to six times: after one the motion passes nearby, at six it rests
    there.  Time is scaled so that limits are just reached.
    """
    count, length = 64, 0.0
    while length < duration:
        points = _control_points(np.asarray(start, float), count, reach, turn, limits, seed)
        pieces = len(points) - _DEGREE
        knots = np.arange(len(points) + _DEGREE + 1.0) - _DEGREE
        spline = BSpline(knots, points, _DEGREE)
        samples = np.linspace(0.0, pieces, 16 * pieces + 1)
        speed, acceleration = limits.shares(spline(samples, 1), spline(samples, 2))
        scale = max(speed, np.sqrt(acceleration))       # time between knots [s]
        length, count = pieces * scale, 2 * count
    return of_spline(BSpline(scale * knots, points, _DEGREE), repeat_from=0.0)


def _control_points(start: FloatArray, count: int, reach: float, turn: float, limits: Limits,
                    seed: int) -> FloatArray:
    """Return control points (k, g) for `count` targets, from rest at the start to rest there."""
    rng = np.random.default_rng(seed)
    angles = np.array(limits.angles)
    points = [start] * _STILL
    for _ in range(count):
        target = start + np.where(angles, turn * rng.uniform(-1.0, 1.0, len(start)), 0.0)
        if not angles.all():
            target[~angles] += reach * _in_ball(rng, int((~angles).sum()))
        points += [target] * int(rng.integers(1, _STILL + 1))
    return np.array(points + [start] * _STILL)


def _in_ball(rng: np.random.Generator, size: int) -> FloatArray:
    """Return a point (size) of uniform density in a ball of radius 1."""
    direction = rng.normal(size=size)
    return direction / np.linalg.norm(direction) * rng.uniform() ** (1.0 / size)
