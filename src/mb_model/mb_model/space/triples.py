"""Triples of numbers in kernels: places, directions and forces in global axes."""

from mb_model.jit import kernel


@kernel
def dot(a, b):
    """Return the product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Return the cross product of two triples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def plus(a, b, factor):
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel
def times(factor, a):
    """Return factor a."""
    return factor * a[0], factor * a[1], factor * a[2]
