"""A kind of shapes of another package: a bar with round ends between two named points."""

from mb_model.kind_api import RADIUS, BodyShape, ShapeKind


def _read(entries, path, value, places):
    first, second = entries.names(f'{path}.between', value['between'], places, 'point of the body')
    return BodyShape(value['radius'], (places[first], places[second]))


SHAPE = ShapeKind('finger', {
    'description': 'Everything within a radius of the line between two points of the body.',
    'required': ['radius', 'between'],
    'properties': {
        'radius': RADIUS,
        'between': {'$ref': '#/$defs/two_names', 'description': 'The two points.'}},
}, _read)
