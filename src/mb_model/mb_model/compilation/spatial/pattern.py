"""Which coordinates act together in a mechanism in space: where its matrices have entries."""

import numpy as np

from mb_model.space.equation import NONE, SpatialEquation


def row_columns(layout, equations):
    """Return for each row of phi_q the places that it has entries in, ascending."""
    rows = []
    for equation in equations:
        if isinstance(equation, SpatialEquation):
            columns = _of_vectors(layout, equation.vectors) | set(equation.scalars)
        else:
            columns = set(equation.index)
        rows += equation.rows * [sorted(k for k in columns if k != NONE)]
    return rows


def acting_groups(layout, rows, elements):
    """Return lists of moving coordinates that have entries in common rows of tangents."""
    n = len(layout.names)
    return [[k for k in group if k < n] for group in (*rows, *coupled(layout, elements))]


def envelope(layout, rows, elements):
    """Return where each row of M + phi_q^T alpha phi_q, slopes of forces too, begins (n)."""
    n = len(layout.names)
    first = np.arange(n)
    for moving in acting_groups(layout, rows, elements):
        if moving:
            first[moving] = np.minimum(first[moving], min(moving))
    return first


def coupled(layout, elements):
    """Return the places that act together in bodies and in forces on no coordinate."""
    return [[place + axis for place in solid.weights for axis in range(3)]
            for solid in layout.solids] + [
                list(_of_vectors(layout, element.index)) for element in elements]


def _of_vectors(layout, vectors):
    """Return the places of the coordinates of vectors."""
    return {node + axis for k in vectors if k != NONE for node, _ in layout.vectors[k]
            for axis in range(3)}
