"""What a kind of forces in mechanism files consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
