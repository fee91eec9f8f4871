"""Orientations of bodies in space as coordinates: a reference that follows the body.

With the body's axes x, y, z and the reference's x0, y0, z0 the coordinates are
s_x = (z0 . y - y0 . z) / 2 and so on: the axis of the turn between them times its sine.  At the
reference their rates are the angular velocity in the body's frame.  The reference is in q behind
the coordinates, as fixed nodes are, and follows from the body's axes and s at any time.
"""

from math import sqrt

from numba import void

from mb_model.jit import entry, kernel
from mb_model.kernels.step_state import take_independent
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import vector

_LARGEST = 0.5      # sine of the turn at which a step begins with a new reference


@kernel
def columns(model, k, q):
    """Return the body's axes x, y, z of chart k for an array q."""
    return (vector(model, model.chart_axis[k, 0], q), vector(model, model.chart_axis[k, 1], q),
            vector(model, model.chart_axis[k, 2], q))


@kernel
def _write_reference(model, k, x, y, z, q):
    """Write the reference of chart k to q."""
    for node, axis in enumerate((x, y, z)):
        first = model.chart_node[k, node]
        q[first], q[first + 1], q[first + 2] = axis


@kernel
def _mixed(x, y, z, u, v, w):
    """Return u x + v y + w z of vectors x, y, z."""
    return (u * x[0] + v * y[0] + w * z[0], u * x[1] + v * y[1] + w * z[1],
            u * x[2] + v * y[2] + w * z[2])


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def _find_references(model, work):
    for k in range(model.charts):
        x, y, z = columns(model, k, work.q)
        a, b, c = (work.q[model.chart_coordinate[k, 0]], work.q[model.chart_coordinate[k, 1]],
                   work.q[model.chart_coordinate[k, 2]])
        # The columns of the inverse turn I - s^ + s^ s^ / (1 + cosine), s^ v = s x v.
        square = a * a + b * b + c * c
        share = 1.0 / (1.0 + sqrt(max(1.0 - square, 0.0)))
        _write_reference(
            model, k,
            _mixed(x, y, z, 1.0 + share * (a * a - square), -c + share * a * b, b + share * a * c),
            _mixed(x, y, z, c + share * a * b, 1.0 + share * (b * b - square), -a + share * b * c),
            _mixed(x, y, z, -b + share * a * c, a + share * b * c, 1.0 + share * (c * c - square)),
            work.q)


@entry
def find_references(models, works):
    """Write the references of all charts to work.q, from the bodies' axes and the coordinates."""
    if models[0].charts > 0:
        _find_references(models[0], works[0])


@kernel
def _between(a, b, c, d):
    """Return (a . b - c . d) / 2."""
    return 0.5 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
                  - c[0] * d[0] - c[1] * d[1] - c[2] * d[2])


@kernel
def coordinates_from(x, y, z, a, b, c):
    """Return the coordinates of a frame with axes a, b, c, counted from one with axes x, y, z.

    Of rates, or accelerations, of a, b, c these of the coordinates.
    """
    return _between(z, b, y, c), _between(x, c, z, a), _between(y, a, x, b)


@kernel
def write_fixed(model, work):
    """Write the fixed nodes to work.q and q0, where they are in the model, but not references."""
    for row in range(model.n, model.n_total - model.driven):
        moves = False
        for k in range(model.charts):
            for axis in range(3):
                moves = moves or 0 <= row - model.chart_node[k, axis] < 3
        if not moves:
            work.q[row] = work.q0[row] = model.fixed[row]


@kernel
def follow_reference(model, work, k):
    """Move the reference of chart k to the body; then its coordinates are 0, see take_independent.

    Their rates and accelerations become those in the body's frame.
    """
    x, y, z = columns(model, k, work.q)
    _write_reference(model, k, x, y, z, work.q)
    for v in (work.qd, work.qdd):
        dx, dy, dz = columns(model, k, v)
        s = coordinates_from(x, y, z, dx, dy, dz)
        for axis in range(3):
            v[model.chart_coordinate[k, axis]] = s[axis]
    for axis in range(3):
        work.q[model.chart_coordinate[k, axis]] = 0.0


@entry
def follow_references(models, works):
    """Move references that bodies have turned far from to the bodies; return whether one moved.

    Then coordinates and degrees of freedom are 0 there, their rates and accelerations those in the
    body's frame.
    """
    model, work, moved = models[0], works[0], False
    for k in range(model.charts):
        square = 0.0
        for axis in range(3):
            square += work.q[model.chart_coordinate[k, axis]] ** 2
        if square > _LARGEST * _LARGEST:
            moved = True
            follow_reference(model, work, k)
    if moved:
        take_independent(model, work)
    return moved
