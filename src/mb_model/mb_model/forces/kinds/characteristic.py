"""A force by expressions of a coordinate and of its rate: springs and dampers of any shape."""

from dataclasses import dataclass

from mb_model.forces.element import Characteristic
from mb_model.forces.force import ForceKind


@dataclass(frozen=True)
class Curve:
    """A force of_coordinate(x) + of_rate(v) on a coordinate x of rate v [N or N m]."""

    name: str
    kind: str
    coordinate: str
    of_coordinate: str
    of_rate: str


def _read(entries, name, value, coordinates, points, bodies):
    path = f'forces.{name}'
    if 'of_coordinate' not in value and 'of_rate' not in value:
        entries.fail(path, 'must have of_coordinate, of_rate, or both')
    return Curve(name, 'characteristic',
                 entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                                'coordinate'),
                 str(value.get('of_coordinate', 0.0)), str(value.get('of_rate', 0.0))), ()


def element_of(layout, curve):
    """Return the Characteristic of a Curve."""
    return Characteristic(curve.name, layout.place(curve.coordinate),
                          (curve.of_coordinate, curve.of_rate))


def parameters(key, value):
    """Return no places: the expressions are not changed while a model is used."""
    return ()


_EXPRESSION = {'anyOf': [{'type': 'string'}, {'type': 'number'}]}

FORCE = ForceKind('characteristic', {
    'description': 'A force of any shape: an expression of a coordinate, one of its rate, or both.',
    'required': ['coordinate'],
    'properties': {
        'coordinate': {'$ref': '#/$defs/reference', 'description': 'The coordinate it acts on.'},
        'of_coordinate': _EXPRESSION | {
            'title': 'an expression over x',
            'description': 'Force by the coordinate x, such as `-k * x - k3 * x ** 3` [N or N m].'},
        'of_rate': _EXPRESSION | {
            'title': 'an expression over v',
            'description': 'Force by its rate v, such as `-c * v * abs(v)` [N or N m].'}},
}, _read, element_of, parameters)
