"""A bar with round ends."""

from mb_model.shapes.shape import RADIUS, BodyShape, ShapeKind


def _read(entries, path, value, places):
    first, second, *_ = places.values()
    return BodyShape(value['radius'], (first, second))


SHAPE = ShapeKind('capsule', {
    'description': "Everything within a radius of the line between the body's first two points.",
    'required': ['radius'],
    'properties': {'radius': RADIUS},
}, _read)
