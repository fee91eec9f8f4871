"""What kinds of forces consist of: elements, which make them, and entries of mechanism files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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

    # For each point of index, the slots in index of the two points whose body its force acts on,
    # or None: on the pin.  Empty: index is a coordinate.
    lines: tuple[tuple[int, int] | None, ...] = ()
    positive: frozenset[int] = frozenset()      # slots of values that must not be negative
    is_rare: bool = False               # its kernels are compiled when a mechanism has such a force


@dataclass(frozen=True)
class Characteristic:
    """A force f(x) + g(v) on a coordinate x of rate v, see kernels.characteristics."""

    name: str
    index: int                          # of the coordinate in q
    expressions: tuple[str, str]        # f in x, g in v


@dataclass(frozen=True)
class Element:
    """One force of a mechanism: kind, addressed coordinates, numbers."""

    kind: str                           # name of an ElementKind
    index: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ForceKind:
    """A kind of entries of the section `forces`, in the plane or in space.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    empty of a kind that other sections of a file make, which has no `read`;
    read(entries, name, value, coordinates, points, bodies): return (force, added): what describes
    the force of an entry that conforms to it, with `kind`, and Coordinates that it adds to the
    mechanism; entries: Entries, coordinates: names of all, points: none in space; raises
    MechanismError;
    element(layout, force): return its Element, Characteristic or, in space, SpatialElement;
    layout: a compilation.layout.Layout, or the one in space;
    parameters: key of the entry ('rest', 'force.x') -> slot of its number in the element's values,
    if it can be changed while a model is used; 'at.x' and 'at.y' follow the point that `at` names;
    follows: key -> key of the number that it equals where an entry leaves it out; optional: keys
    that are parameters of entries that have them alone;
    pushes(force, values, motions, rates): in space, what it does to bodies with the values of its
    element, as in a SpatialCoordinateKind; rates: of coordinates by name; None: it is on a
    coordinate.
    """

    name: str
    schema: dict[str, Any]
    read: Any
    element: Callable[..., Any]
    parameters: Mapping[str, int] = field(default_factory=dict)
    follows: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    pushes: Callable[..., list[tuple[Any, ...]]] | None = None

    def slots(self, key: str, entry: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the slots of a number of an entry by its key, none if it is no parameter."""
        if key in self.optional and key not in entry:
            return ()
        equal = [other for other, own in self.follows.items()
                 if own == key and other not in entry]
        return tuple(self.parameters[one] for one in (key, *equal) if one in self.parameters)
