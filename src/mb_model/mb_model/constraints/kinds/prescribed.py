"""A coordinate that follows a function of time.

The motion is a program that kernels.time runs: it writes an entry of q behind the fixed points,
which the coordinate follows.  index: coordinate, driven entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.relation import Constraint, RelationKind
from mb_model.jit import kernel


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """q[p] - q[s] = 0, where s is an entry driven by time (see kernels.time) [m or rad].

    Linear in the coordinates, so all higher derivatives are zero.
    """
    p, s = index[0], index[1]
    phi[row] = q[p] - q[s]
    phi_q[row, p] = 1.0
    phi_q[row, s] = -1.0


EQUATION = EquationKind('prescribed', evaluate, needed=True)


@dataclass(frozen=True)
class Prescribed(Constraint):
    """A coordinate that follows `motion`, a number or an expression over the time t."""

    coordinate: str
    motion: str | float


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> Prescribed:
    return Prescribed(name, 'prescribed', value['coordinate'], value['motion'])


def _equation(layout: Any, constraint: Prescribed) -> Equation:
    slope = 1.0 / layout.size if layout.unit(constraint.coordinate) == 'rad' else 1.0
    return Equation('prescribed', (layout.index(constraint.coordinate),
                                   layout.behind.driven(constraint.coordinate)), (), 1, slope,
                    f'constraints.{constraint.name}', ())


CONSTRAINT = RelationKind('prescribed', {
    'description': "A coordinate follows a function of time; what drives it is the constraint's "
                   'force.',
    'required': ['coordinate', 'motion'],
    'properties': {
        'coordinate': {'$ref': '#/$defs/reference', 'description': 'The coordinate.'},
        'motion': {
            'anyOf': [{'type': 'string'}, {'type': 'number'}], 'title': 'an expression over t',
            'description': 'Its value, a number or an expression over the time t [s], twice '
                           'differentiable [rad or m].'}},
}, _read, _equation, in_space=True)
