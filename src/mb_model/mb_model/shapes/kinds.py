"""The kinds of shapes of bodies: a bar with round ends, a disc."""

from mb_model.registry.kind_modules import gathered, plugin_modules
from mb_model.shapes.shape import RADIUS, BodyShape, ShapeKind


def _read_capsule(entries, path, value, places):
    first, second, *_ = places.values()
    return BodyShape(value['radius'], (first, second))


_CAPSULE = ShapeKind('capsule', {
    'description': "Everything within a radius of the line between the body's first two points.",
    'required': ['radius'],
    'properties': {'radius': RADIUS},
}, _read_capsule)


def _read_disc(entries, path, value, places):
    at = value['at']
    if isinstance(at, str):
        at = places[entries.one_of(f'{path}.at', at, places, 'point of the body')]
    return BodyShape(value['radius'], (at, at))


_DISC = ShapeKind('disc', {
    'description': 'Everything within a radius of a place of the body.',
    'required': ['radius'],
    'properties': {
        'radius': RADIUS,
        'at': {'type': ['array', 'string'], 'title': 'two numbers [x, y] or a point of the body',
               'items': {'$ref': '#/$defs/number'}, 'minItems': 2, 'maxItems': 2,
               'default': [0.0, 0.0],
               'description': "Its middle, in the body's frame [m] or a point of the body by "
                              'name.'}},
}, _read_disc)

# name -> ShapeKind, those of other packages, too
SHAPES: dict[str, ShapeKind] = gathered(plugin_modules(__name__), 'SHAPE', _CAPSULE, _DISC)
