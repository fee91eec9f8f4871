"""Coordinates and constraints of mechanism files, and what a kind of these entries consists of."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

MODE = 'mode'       # kind of coordinates of bodies that bend, which their equations define


@dataclass(frozen=True)
class Coordinate:
    """A coordinate beside the coordinates of points, in space of nodes.

    kind: of a RelationKind, in space a SpatialCoordinateKind, or of a mode of a flexible body.
    In space it has a joint, or bodies and offsets in them [m]; part: of several that one entry
    gives, such as 0 for x.
    rest [rad]: of the coil spring that a relative angle was added for; None: it is of the file.
    inertia: of one that no equation ties to the points and that a force added, a state of that
    force; of: the coordinate that force acts on.  None: an equation defines it.
    armature: inertia that its rate moves beside bodies, of a rotor behind a gear [kg m^2 or kg].
    lower, upper: its limits [rad or m]; stop: stiffness and damping of what it meets there, (0, 0)
    where limits are information alone.
    """

    name: str
    kind: str
    unit: str                            # 'rad' or 'm'
    joint: str = ''
    bodies: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    offsets: tuple[tuple[float, float, float], ...] = ()
    part: int = 0
    rest: float | None = None
    inertia: float | None = None
    of: str = ''
    armature: float = 0.0
    lower: float = -inf
    upper: float = inf
    stop: tuple[float, float] = (0.0, 0.0)

    @property
    def is_free(self) -> bool:
        """Whether it is a degree of freedom by itself: a state of a force, or a mode of a body."""
        return self.inertia is not None or self.kind == MODE

    @property
    def body(self) -> str:
        """The body of an angle."""
        return self.bodies[0]


@dataclass(frozen=True)
class Constraint:
    """A constraint that is not of a body or a coordinate; every kind derives its own class."""

    name: str
    kind: str


@dataclass(frozen=True, eq=False)
class RelationKind:
    """A kind of entries of a mechanism file, in the section `coordinates` or `constraints`.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    read(entries, path, name, value, points, bodies): return the Coordinate or Constraint of an
    entry that conforms to it, entries: Entries; raises MechanismError;
    equation(layout, relation): return its Equation, layout: a compilation.layout.Layout;
    parameters: key of the entry -> slot of that number in the equation's value, for those keys
    that can be changed while a model is used;
    coordinates(constraint): names of the coordinates that a constraint is on; in_space: whether
    files with `dimension: 3` may have it; beside(layout, relation): return more Equations of it;
    check(entries, path, constraint, coordinates): raise MechanismError if they do not fit together.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., Any]
    equation: Callable[..., Any]
    parameters: Mapping[str, int] = field(default_factory=dict)
    coordinates: Callable[[Any], Iterable[str]] = lambda constraint: ()
    in_space: bool = False
    beside: Callable[..., tuple[Any, ...]] = lambda layout, relation: ()
    check: Callable[..., None] = lambda entries, path, constraint, coordinates: None
