"""A disc."""

from mb_model.shapes.shape import RADIUS, BodyShape, ShapeKind


def _read(entries, path, value, places):
    at = value['at']
    if isinstance(at, str):
        at = places[entries.one_of(f'{path}.at', at, places, 'point of the body')]
    return BodyShape(value['radius'], (at, at))


SHAPE = ShapeKind('disc', {
    'description': 'Everything within a radius of a place of the body.',
    'required': ['radius'],
    'properties': {
        'radius': RADIUS,
        'at': {'type': ['array', 'string'], 'title': 'two numbers [x, y] or a point of the body',
               'items': {'$ref': '#/$defs/number'}, 'minItems': 2, 'maxItems': 2,
               'default': [0.0, 0.0],
               'description': "Its middle, in the body's frame [m] or a point of the body by "
                              'name.'}},
}, _read)
