"""What a body touches others with, and what a kind of shapes in mechanism files consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BodyShape:
    """Everything of a body's plane within a radius of the line between two places of it.

    Pictures, contacts and collisions know these two numbers alone, whatever kind of entry they
    are from.
    """

    radius: float                                             # [m]
    ends: tuple[tuple[float, float], tuple[float, float]]     # in the body's frame [m]

    @property
    def is_disc(self) -> bool:
        """Whether both places are one."""
        return self.ends[0] == self.ends[1]


@dataclass(frozen=True, eq=False)
class ShapeKind:
    """A kind of entries `shape` of bodies.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    read(entries, path, value, places): return the BodyShape of an entry that conforms to it,
    entries: Entries, places: point of the body -> place in its frame [m]; raises MechanismError.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., BodyShape]


RADIUS = {'$ref': '#/$defs/positive', 'description': 'The radius [m].'}      # of most kinds
