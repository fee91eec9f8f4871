"""Constraints as equations phi(q) = 0: what a kind of them consists of, and one of a mechanism.

Kernels that a kind leaves out: higher derivatives of linear equations are zero, an equation defines
no coordinate, and its numbers follow from no others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mb_model.arrays import FloatArray, Kernel
from mb_model.jit import kernel


@kernel
def _second(index, value, q, v, out, row):
    """Leave phi_qq v at zero."""


@kernel
def _third(index, value, q, v, w, out, row):
    """Leave (phi_qq v)_q w at zero."""


@kernel
def _curvature(index, value, q, weight, out):
    """Add nothing to out."""


@kernel
def _factors(index, value, q):
    """Return the first two numbers of the equation."""
    return value[0], value[1]


@kernel
def _bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w = 0."""
    return 0.0


@kernel
def _trilinear(i, j, k, l, p, s, c, q, u, v, w):                          # noqa: E741
    """Return the third derivative along u, v and w, 0."""
    return 0.0


@kernel
def _coordinate(index, value, q, old):
    """Return not a number: the equation defines no coordinate."""
    return float('nan')


@kernel
def _needs_span(value):
    """Return whether a number follows from the distance of the first two points of index."""
    return False


@kernel
def _resize(value, length, span):
    """Leave the numbers as they are: they follow from no size."""


@kernel
def _resize_change(value, change, length, stretch, span_change):
    """Leave the changes of numbers as they are."""


@kernel
def _add_value_change(index, value, change, q, factor, out, row):
    """Leave out as it is: phi has no numbers."""


@kernel
def _gradient_change(index, change, q, v, out, row):
    """Leave phi_qp v at zero."""


@kernel
def _curvature_change(index, change, v):
    """Return v^T phi_qqp v = 0."""
    return 0.0


def _by_slope(phi: FloatArray, value: Sequence[float], slope: float) -> tuple[FloatArray, float]:
    """Return the violation of its equations in metres and the size of the derivatives of phi."""
    return phi / slope, slope


@dataclass(frozen=True, eq=False)
class EquationKind:
    """A kind of equations: its name and its kernels, all compiled and of the same arguments.

    index: the coordinates that an equation addresses (INDEX_SLOTS: x of points, added coordinates);
    value: its numbers (VALUE_SLOTS).  Kernels touch the coordinates in index alone (of a point x
    and x + 1), whatever the arrays are.  Rows of matrices are zero before.  What is left out is
    zero, as the higher derivatives of linear equations are.
    """

    name: str
    evaluate: Kernel                         # (index, value, q, phi, phi_q, row): write rows
    second: Kernel = _second           # (index, value, q, v, out, row): phi_qq v
    third: Kernel = _third             # (..., v, w, out, row): (phi_qq v)_q w, symmetric
    curvature: Kernel = _curvature     # (index, value, q, weight, out): add weight phi_qq

    # Products, one number per equation, of equations with one row.  i ... p: its index, one by one
    # (an array would be slower); s, c: what `factors` returns, computed once for many products.
    factors: Kernel = _factors         # (index, value, q)
    bilinear: Kernel = _bilinear       # (i, j, k, l, p, s, c, q, v, w): v^T phi_qq w
    trilinear: Kernel = _trilinear     # (..., q, u, v, w): third derivative along u, v, w

    # (index, value, q, old): of an equation that defines an added coordinate, its value from where
    # the points are; an angle in the turn next to `old`.
    coordinate: Kernel = _coordinate

    # How its numbers follow from others, and phi from them.  length: of the body it belongs to, 0
    # without one; span: between the first two points of index where `needs_span`, else 0.
    needs_span: Kernel = _needs_span                 # (value)
    resize: Kernel = _resize                         # (value, length, span): write value
    resize_change: Kernel = _resize_change           # its derivative: write change
    add_value_change: Kernel = _add_value_change     # add factor phi_p for a change of value
    gradient_change: Kernel = _gradient_change       # write phi_qp v
    curvature_change: Kernel = _curvature_change     # return v^T phi_qqp v

    in_metres: Kernel = _by_slope            # (phi (rows), value, slope): not compiled
    needed: bool = False                     # others are left out as redundant first
    closes_loops: bool = False               # of a tree of joints


@dataclass(frozen=True)
class Equation:
    """One constraint of a mechanism: kind, addressed coordinates, numbers, and what it means.

    bodies: for each point that index begins with, the body that the constraint acts on there, or
    None if it acts on the pin in the point.  inner: it holds a body together.
    """

    kind: str                   # name of an EquationKind
    index: tuple[int, ...]
    value: tuple[float, ...]
    rows: int
    slope: float                # size of its derivatives
    meaning: str
    bodies: tuple[str | None, ...]
    inner: bool = False
