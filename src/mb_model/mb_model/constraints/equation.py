"""Constraints as equations phi(q) = 0: what a kind of them consists of, and one of a mechanism."""

from dataclasses import dataclass

from mb_model.arrays import Kernel
from mb_model.constraints import linear


def _by_slope(phi, value, slope):
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
    second: Kernel = linear.second           # (index, value, q, v, out, row): phi_qq v
    third: Kernel = linear.third             # (..., v, w, out, row): (phi_qq v)_q w, symmetric
    curvature: Kernel = linear.curvature     # (index, value, q, weight, out): add weight phi_qq

    # Products, one number per equation, of equations with one row.  i ... p: its index, one by one
    # (an array would be slower); s, c: what `factors` returns, computed once for many products.
    factors: Kernel = linear.factors         # (index, value, q)
    bilinear: Kernel = linear.bilinear       # (i, j, k, l, p, s, c, q, v, w): v^T phi_qq w
    trilinear: Kernel = linear.trilinear     # (..., q, u, v, w): third derivative along u, v, w

    # (index, value, q, old): of an equation that defines an added coordinate, its value from where
    # the points are; an angle in the turn next to `old`.
    coordinate: Kernel = linear.coordinate

    # How its numbers follow from others, and phi from them.  length: of the body it belongs to, 0
    # without one; span: between the first two points of index where `needs_span`, else 0.
    needs_span: Kernel = linear.needs_span                 # (value)
    resize: Kernel = linear.resize                         # (value, length, span): write value
    resize_change: Kernel = linear.resize_change           # its derivative: write change
    add_value_change: Kernel = linear.add_value_change     # add factor phi_p for a change of value
    gradient_change: Kernel = linear.gradient_change       # write phi_qp v
    curvature_change: Kernel = linear.curvature_change     # return v^T phi_qqp v

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
