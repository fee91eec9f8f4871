"""What a kind of equations leaves out: higher derivatives of linear equations, which are zero.

And the answers of equations that define no coordinate and whose numbers follow from no others.
"""

from numba import njit


@njit(cache=True)
def second(index, value, q, v, out, row):
    """Leave phi_qq v at zero."""


@njit(cache=True)
def third(index, value, q, v, w, out, row):
    """Leave (phi_qq v)_q w at zero."""


@njit(cache=True)
def curvature(index, value, q, weight, out):
    """Add nothing to out."""


@njit(cache=True)
def factors(index, value, q):
    """Return the first two numbers of the equation."""
    return value[0], value[1]


@njit(cache=True)
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w = 0."""
    return 0.0


@njit(cache=True)
def trilinear(i, j, k, l, p, s, c, q, u, v, w):                          # noqa: E741
    """Return the third derivative along u, v and w, 0."""
    return 0.0


@njit(cache=True)
def coordinate(index, value, q, old):
    """Return not a number: the equation defines no coordinate."""
    return float('nan')


@njit(cache=True)
def needs_span(value):
    """Return whether a number follows from the distance of the first two points of index."""
    return False


@njit(cache=True)
def resize(value, length, span):
    """Leave the numbers as they are: they follow from no size."""


@njit(cache=True)
def resize_change(value, change, length, stretch, span_change):
    """Leave the changes of numbers as they are."""


@njit(cache=True)
def add_value_change(index, value, change, q, factor, out, row):
    """Leave out as it is: phi has no numbers."""


@njit(cache=True)
def gradient_change(index, change, q, v, out, row):
    """Leave phi_qp v at zero."""


@njit(cache=True)
def curvature_change(index, change, v):
    """Return v^T phi_qqp v = 0."""
    return 0.0
