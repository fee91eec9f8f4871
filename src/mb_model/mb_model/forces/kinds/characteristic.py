"""Forces by expressions of a coordinate and of its rate: springs and dampers of any shape.

Backlash is one: free play between two flanks, no force within it, a spring against each beyond.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import ON_TURN, read_coordinate
from mb_model.forces.element import Characteristic, ForceKind


@dataclass(frozen=True)
class Curve:
    """A force of_coordinate(x) + of_rate(v) on a coordinate x of rate v [N or N m]."""

    name: str
    kind: str
    coordinate: str
    of_coordinate: str
    of_rate: str


def _read_characteristic(entries: Any, name: str, value: dict[str, Any],
                         coordinates: Collection[str], points: Mapping[str, Any],
                         bodies: Mapping[str, Any]) -> tuple[Curve, tuple[Coordinate, ...]]:
    path = f'forces.{name}'
    if 'of_coordinate' not in value and 'of_rate' not in value:
        entries.fail(path, 'must have of_coordinate, of_rate, or both')
    return Curve(name, 'characteristic',
                 entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                                'coordinate'),
                 str(value.get('of_coordinate', 0.0)), str(value.get('of_rate', 0.0))), ()


def element_of(layout: Any, curve: Curve) -> Characteristic:
    """Return the Characteristic of a Curve."""
    return Characteristic(curve.name, layout.index(curve.coordinate),
                          (curve.of_coordinate, curve.of_rate))


_EXPRESSION = {'anyOf': [{'type': 'string'}, {'type': 'number'}]}

CHARACTERISTIC = ForceKind('characteristic', {
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
}, _read_characteristic, element_of)


@dataclass(frozen=True)
class Backlash(Curve):
    """A Curve with a dead zone: a coordinate is free from `least` to `largest` [m or rad].

    F = -k max(x - largest, 0) - k min(x - least, 0) - d v.  Source: Nordin and Gutman 2002
    (Automatica 38), dead zone model with the damping of the lubricant.
    """

    least: float
    largest: float


def _read_backlash(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                   points: Mapping[str, Any],
                   bodies: Mapping[str, Any]) -> tuple[Backlash, tuple[Coordinate, ...]]:
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    stiffness, middle, half = value['stiffness'], value['middle'], 0.5 * value['play']
    least, largest = middle - half, middle + half
    return Backlash(
        name, 'backlash', coordinate,
        f'{-stiffness!r} * (max(x - ({largest!r}), 0) + min(x - ({least!r}), 0))',
        f'{-value["damping"]!r} * v', least, largest), added


BACKLASH = ForceKind('backlash', {
    'description': 'Free play on a coordinate or in the joint of two bodies: no force within it, a '
                   'stiff spring against each flank beyond.  The intervals of all filters cover '
                   'the play unless sensors measure where in it the flanks are.',
    'required': ['play', 'stiffness'],
    'properties': ON_TURN | {
        'play': {'$ref': '#/$defs/positive',
                 'description': 'Free travel from one flank to the other [m or rad].'},
        'middle': {'$ref': '#/$defs/number', 'default': 0.0,
                   'description': 'Coordinate in the middle of the play [m or rad].'},
        'stiffness': {'$ref': '#/$defs/positive',
                      'description': 'Of the flanks in touch [N/m or N m/rad].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Of the lubricant, within the play as well '
                                   '[N s/m or N m s/rad].'}},
}, _read_backlash, element_of)

FORCES = CHARACTERISTIC, BACKLASH
