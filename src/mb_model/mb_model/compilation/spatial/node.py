"""What nodes.Nodes consists of: nodes, those with coordinates, bases of bodies, sums of them."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any

from mb_model.arrays import FloatArray

POINT, VECTOR = 1.0, 0.0
_ZERO = 1e-12           # weights below are rounding

Terms = dict[int, float]        # number of a base node -> weight


@dataclass(eq=False)
class Node:
    """A point or vector of some groups: group -> its offset (1, x, y, z) or direction (0, x, y, z).

    terms: its sum of base nodes, None while it is not known; label: what it is called; number: of
    nodes before it; keys: its marks, rounded, by which it is found.
    """

    kind: float
    label: str
    marks: dict[str, FloatArray] = field(default_factory=dict)
    terms: Terms | None = None
    number: int = -1
    keys: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Base:
    """A node with coordinates of its own, or a fixed one, with its start (3)."""

    label: str
    fixed: bool
    start: FloatArray


@dataclass
class Basis:
    """The nodes that a group's points and directions are sums of, as columns of its matrix."""

    nodes: list[Node]
    inverse: FloatArray                  # (k, 4): weights of the nodes for (1 or 0, x, y, z)
    matrix: FloatArray                   # (4, k)


def combined(parts: Iterable[tuple[float, Terms]], kept: Container[int] = ()) -> Terms:
    """Return the terms of a sum of (factor, terms), terms of 0 only for base nodes in kept."""
    total = {}
    for factor, terms in parts:
        for base, weight in terms.items():
            total[base] = total.get(base, 0.0) + factor * weight
    return {base: weight for base, weight in total.items() if abs(weight) > _ZERO or base in kept}
