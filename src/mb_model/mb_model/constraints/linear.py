"""What a kind of equations leaves out: higher derivatives of linear equations, which are zero.

And the answers of equations that define no coordinate and whose numbers follow from no others.
"""

from mb_model.jit import kernel


@kernel
def second(index, value, q, v, out, row):
    """Leave phi_qq v at zero."""


@kernel
def third(index, value, q, v, w, out, row):
    """Leave (phi_qq v)_q w at zero."""


@kernel
def curvature(index, value, q, weight, out):
    """Add nothing to out."""


@kernel
def factors(index, value, q):
    """Return the first two numbers of the equation."""
    return value[0], value[1]


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w = 0."""
    return 0.0


@kernel
def trilinear(i, j, k, l, p, s, c, q, u, v, w):                          # noqa: E741
    """Return the third derivative along u, v and w, 0."""
    return 0.0


@kernel
def coordinate(index, value, q, old):
    """Return not a number: the equation defines no coordinate."""
    return float('nan')


@kernel
def needs_span(value):
    """Return whether a number follows from the distance of the first two points of index."""
    return False


@kernel
def resize(value, length, span):
    """Leave the numbers as they are: they follow from no size."""


@kernel
def resize_change(value, change, length, stretch, span_change):
    """Leave the changes of numbers as they are."""


@kernel
def add_value_change(index, value, change, q, factor, out, row):
    """Leave out as it is: phi has no numbers."""


@kernel
def gradient_change(index, change, q, v, out, row):
    """Leave phi_qp v at zero."""


@kernel
def curvature_change(index, change, v):
    """Return v^T phi_qqp v = 0."""
    return 0.0
