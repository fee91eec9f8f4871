"""Two bodies at a constant angle: see two_lines."""

from dataclasses import dataclass
from math import cos, sin

from mb_model.constraints.equation import Equation
from mb_model.constraints.relation import Constraint, RelationKind

_ANGLE = 3      # place in the value of two_lines


@dataclass(frozen=True)
class WeldedAngle(Constraint):
    """The x axis of the second of two bodies stays at `angle` [rad] from that of the first."""

    bodies: tuple[str, str]
    angle: float


def _read(entries, path, name, value, points, bodies):
    return WeldedAngle(name, 'welded_angle', entries.names(
        f'{path}.bodies', value['bodies'], bodies, 'body'), value['angle'])


def _equation(layout, weld):
    first, second = (layout.axis(body) for body in weld.bodies)
    value = (sin(weld.angle), cos(weld.angle), 0.0, weld.angle)
    return Equation('two_lines', (*first, *second, first[0]), value, 1,
                    layout.longest(weld.bodies), f'constraints.{weld.name}',
                    2 * weld.bodies[:1] + 2 * weld.bodies[1:])


CONSTRAINT = RelationKind('welded_angle', {
    'description': "The angle from one body's x axis to that of another stays as it is.",
    'required': ['bodies', 'angle'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'From this body, to this one.'},
        'angle': {'$ref': '#/$defs/number', 'description': 'The angle [rad].'}},
}, _read, _equation, {'angle': _ANGLE})
