"""A trajectory from a CSV file."""

import csv

import numpy as np
from scipy.interpolate import make_interp_spline

from mb_simulation.control.line import line
from mb_simulation.control.polynomial_trajectory import chain, of_spline

_LEAST_ROWS = 4


def trajectory_file(path, mechanism, start, limits):
    """Return the PolynomialTrajectory through the rows of a file, from start (g) to its first row.

    Its columns are t [s] and the degrees of freedom of a Mechanism by name; the motion through its
    rows is smooth (a spline of degree 5), from rest to rest.  Raises OSError, ValueError naming
    file and row.
    """
    t, z = _rows(path, mechanism)
    still = [(1, np.zeros(mechanism.g)), (2, np.zeros(mechanism.g))]
    motion = of_spline(make_interp_spline(t, z, k=5, bc_type=(still, still)))
    return chain([line(start, z[0], limits), motion])


def _rows(path, mechanism):
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
            found = [_numbers(path, number, row, header)
                     for number, row in enumerate(rows, 2) if row]
        except csv.Error as error:
            raise ValueError(f'{path}: not readable as CSV ({error})') from None
    if len(found) < _LEAST_ROWS:
        raise ValueError(f'{path}: {len(found)} rows, expected at least {_LEAST_ROWS}')
    values = np.array(found)[:, [header.index(name) for name in expected]]
    if not (np.diff(values[:, 0]) > 0.0).all():
        row = 2 + int(np.argmax(np.diff(values[:, 0]) <= 0.0)) + 1
        raise ValueError(f'{path}: row {row}: t must grow')
    return values[:, 0], values[:, 1:]


def _numbers(path, number, row, header):
    """Return the numbers of a row."""
    try:
        values = [float(value) for value in row]
    except ValueError:
        values = [np.nan]
    if len(values) != len(header) or not np.isfinite(values).all():
        raise ValueError(f'{path}: row {number}: {",".join(row)} must be {len(header)} numbers')
    return values
