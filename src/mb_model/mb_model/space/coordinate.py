"""Coordinates of a mechanism in space beside those of its nodes: what a kind of them is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mb_model.space.body import Place
from mb_model.space.equation import SpatialEquation

# Kinds of coordinates of bodies that bend, which their equations define.
MODE, SHORTENING = 'mode', 'shortening'


@dataclass(frozen=True)
class SpatialCoordinate:
    """A coordinate added to those of nodes.

    joint, or bodies and places on them [m]; part: of those that one entry gives, such as 0 for x.
    """

    name: str
    kind: str                            # name of a SpatialCoordinateKind
    unit: str                            # 'rad' or 'm'
    joint: str = ''
    bodies: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    part: int = 0
    # of no coil spring; of a state of a force, see constraints.relation.Coordinate
    rest: None = None
    inertia: float | None = None
    of: str = ''

    @property
    def is_free(self) -> bool:
        """Whether it is a degree of freedom by itself: a state of a force, or a mode."""
        return self.inertia is not None or self.kind == MODE


@dataclass(frozen=True, eq=False)
class SpatialCoordinateKind:
    """A kind of entries of the section `coordinates` of a file with `dimension: 3`.

    schema: JSON schema of an entry: description, properties beside `kind`, required ones;
    read(entries, path, name, value, joints, bodies): return the coordinates of an entry that
    conforms to it, as a tuple of SpatialCoordinates; raises MechanismError;
    equation(layout, coordinate): return its SpatialEquation, layout: a SpatialLayout;
    pushes(coordinate, joint, motions): what a force of 1 on it does to bodies, tuples of body,
    place (3), force (3) and moment (3) in global axes; motions: body -> BodyMotion.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., tuple[SpatialCoordinate, ...]]
    equation: Callable[[Any, SpatialCoordinate], SpatialEquation]
    pushes: Callable[[SpatialCoordinate, Any, Any], list[tuple[Any, ...]]]


JOINT = {'$ref': '#/$defs/reference', 'description': 'The joint.'}
