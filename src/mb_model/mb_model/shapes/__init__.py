"""Shapes of bodies in the plane: what one is, what a kind of them consists of, and the kinds.

Other packages add kinds by entry points of the group `mb_model.shapes.kinds`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mb_model.registry.kind_modules import gathered, plugin_modules


@dataclass(frozen=True)
class BodyShape:
    """Everything of a body's plane within a radius of the line between two points of it.

    Pictures, contacts and collisions know these two numbers alone, whatever kind of entry they
    are from.
    """

    radius: float                                             # [m]
    ends: tuple[tuple[float, float], tuple[float, float]]     # in the body's frame [m]

    @property
    def is_disc(self) -> bool:
        """Whether both points are one."""
        return self.ends[0] == self.ends[1]


@dataclass(frozen=True, eq=False)
class ShapeKind:
    """A kind of entries `shape` of bodies.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    read(entries, path, value, offsets): return the BodyShape of an entry that conforms to it,
    entries: Entries, offsets: point of the body -> offset in its frame [m]; raises MechanismError.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., BodyShape]


RADIUS = {'$ref': '#/$defs/positive', 'description': 'The radius [m].'}      # of most kinds


def _read_capsule(entries, path, value, offsets):
    first, second, *_ = offsets.values()
    return BodyShape(value['radius'], (first, second))


_CAPSULE = ShapeKind('capsule', {
    'description': "Everything within a radius of the line between the body's first two points.",
    'required': ['radius'],
    'properties': {'radius': RADIUS},
}, _read_capsule)


def _read_disc(entries, path, value, offsets):
    at = value['at']
    if isinstance(at, str):
        at = offsets[entries.one_of(f'{path}.at', at, offsets, 'point of the body')]
    return BodyShape(value['radius'], (at, at))


_DISC = ShapeKind('disc', {
    'description': 'Everything within a radius of a point of the body.',
    'required': ['radius'],
    'properties': {
        'radius': RADIUS,
        'at': {'type': ['array', 'string'], 'title': 'two numbers [x, y] or a point of the body',
               'items': {'$ref': '#/$defs/number'}, 'minItems': 2, 'maxItems': 2,
               'default': [0.0, 0.0],
               'description': "Its middle, in the body's frame [m] or a point of the body by "
                              'name.'}},
}, _read_disc)

# name -> ShapeKind, of other packages, too
SHAPES: dict[str, ShapeKind] = gathered(
    plugin_modules('mb_model.shapes.kinds'), 'SHAPE', _CAPSULE, _DISC)
