"""What kinds of forces consist of: elements, which make them, and entries of mechanism files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mb_model.arrays import Kernel
from mb_model.jit import kernel


@kernel
def _no_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add nothing: neither stiffness nor damping."""


@kernel
def _no_energy(index, values, q):
    """Return the energy stored, 0."""
    return 0.0


@dataclass(frozen=True, eq=False)
class ElementKind:
    """A kind of elements: its name and its kernels, all compiled and of the same arguments.

    index: the coordinates that an element addresses (FORCE_INDEX: x of points, or the coordinate
    that it is on); values: its numbers (FORCE_VALUE).  Kernels touch these coordinates alone (of a
    point x and x + 1), whatever the arrays are.
    """

    name: str
    add: Kernel                         # (index, values, q, qd, Q): add its generalized forces to Q
    change: Kernel                      # (..., q, qd, dq, dqd, e): return e^T dQ
    value_change: Kernel                # (index, values, changes, q, qd, e): e^T dQ for changes
    power: Kernel                       # (index, values, q, qd) -> (driving, lost) [W]
    add_slopes: Kernel = _no_slopes     # shares of its stiffness and damping, positive semidefinite
    energy: Kernel = _no_energy         # (index, values, q): of springs [J]

    # For each point of index, the places in index of the two points whose body its force acts on,
    # or None: on the pin.  Empty: index is a coordinate.
    lines: tuple[tuple[int, int] | None, ...] = ()
    positive: frozenset[int] = frozenset()      # places of values that must not be negative
    is_rare: bool = False               # its kernels are compiled when a mechanism has such a force


@dataclass(frozen=True)
class Characteristic:
    """A force f(x) + g(v) on a coordinate x of rate v, see kernels.characteristics."""

    name: str
    place: int                          # of the coordinate in q
    expressions: tuple[str, str]        # f in x, g in v


@dataclass(frozen=True)
class Element:
    """One force of a mechanism: kind, addressed coordinates, numbers."""

    kind: str                           # name of an ElementKind
    index: tuple[int, ...]
    values: tuple[float, ...]


def _nowhere(force, body, point):
    """Return the places of numbers that follow a point of a body: none."""
    return ()


@dataclass(frozen=True, eq=False)
class ForceKind:
    """A kind of entries of the section `forces`.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    read(entries, name, value, coordinates, points, bodies): return (force, added): what describes
    the force of an entry that conforms to it, with `kind`, and Coordinates that it adds to the
    mechanism; entries: Entries, coordinates: names of all; raises MechanismError;
    element(layout, force): return its Element, layout: a compilation.layout.Layout;
    parameters(key, value): the places in the element's values of a number of the entry by its key
    ('rest', 'force.x'), none if it cannot be changed while a model is used;
    at_point(force, body, point): the places of x and y of a point of a body in them, if so.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., Any]
    element: Callable[..., Any]
    parameters: Callable[..., Any]
    at_point: Callable[..., Any] = _nowhere
