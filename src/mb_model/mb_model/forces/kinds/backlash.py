"""Free play between two flanks: no force within it, a spring against each flank beyond."""

from dataclasses import dataclass

from mb_model.forces.force import ForceKind
from mb_model.forces.kinds.characteristic import Curve, element_of, parameters
from mb_model.forces.turning import SCHEMA, read_coordinate


@dataclass(frozen=True)
class Backlash(Curve):
    """A Curve with a dead zone: a coordinate is free from `least` to `largest` [m or rad].

    F = -k max(x - largest, 0) - k min(x - least, 0) - d v.  Source: Nordin and Gutman 2002
    (Automatica 38), dead zone model with the damping of the lubricant.
    """

    least: float
    largest: float


def _read(entries, name, value, coordinates, points, bodies):
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    stiffness, middle, half = value['stiffness'], value['middle'], 0.5 * value['play']
    least, largest = middle - half, middle + half
    return Backlash(
        name, 'backlash', coordinate,
        f'{-stiffness!r} * (max(x - ({largest!r}), 0) + min(x - ({least!r}), 0))',
        f'{-value["damping"]!r} * v', least, largest), added


FORCE = ForceKind('backlash', {
    'description': 'Free play on a coordinate or in the joint of two bodies: no force within it, a '
                   'stiff spring against each flank beyond.  The intervals of all filters cover '
                   'the play unless sensors measure where in it the flanks are.',
    'required': ['play', 'stiffness'],
    'properties': SCHEMA | {
        'play': {'$ref': '#/$defs/positive',
                 'description': 'Free travel from one flank to the other [m or rad].'},
        'middle': {'$ref': '#/$defs/number', 'default': 0.0,
                   'description': 'Coordinate in the middle of the play [m or rad].'},
        'stiffness': {'$ref': '#/$defs/positive',
                      'description': 'Of the flanks in touch [N/m or N m/rad].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Of the lubricant, within the play as well '
                                   '[N s/m or N m s/rad].'}},
}, _read, element_of, parameters)
