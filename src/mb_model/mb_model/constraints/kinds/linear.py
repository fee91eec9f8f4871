"""A linear relation of coordinates: one that is held, gears, racks, belts, differentials.

    f1 s1 + f2 s2 + f3 s3 = constant

index: up to three coordinates, the last one again where there are fewer; value: f1, f2, f3 (0
where there are fewer), constant.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.relation import Constraint, RelationKind
from mb_model.jit import kernel

_MOST = 3


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row, :]; all higher derivatives are zero."""
    total = -value[3]
    for k in range(3):
        total += value[k] * q[index[k]]
        phi_q[row, index[k]] += value[k]
    phi[row] = total


@kernel
def add_value_change(index, value, change, q, factor, out, row):
    """Add factor * phi_p to out."""
    total = -change[3]
    for k in range(3):
        total += change[k] * q[index[k]]
    out[row] += factor * total


EQUATION = EquationKind('linear', evaluate, add_value_change=add_value_change)


@dataclass(frozen=True)
class LinearRelation(Constraint):
    """Coordinates with factors, whose sum is constant."""

    terms: dict[str, float]
    sum: float


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> LinearRelation:
    terms = value['terms']
    if not 1 <= len(terms) <= _MOST:
        entries.fail(f'{path}.terms', f'{len(terms)} coordinates, expected 1 to {_MOST}')
    for coordinate, factor in terms.items():
        if factor == 0.0:
            entries.fail(f'{path}.terms.{coordinate}', '0 must not be 0')
    return LinearRelation(name, 'linear', terms, value['sum'])


def _equation(layout: Any, relation: LinearRelation) -> Equation:
    indices = [layout.index(name) for name in relation.terms]
    factors = list(relation.terms.values())
    missing = _MOST - len(indices)
    slope = max(abs(factor) / (layout.size if layout.unit(name) == 'rad' else 1.0)
                for name, factor in relation.terms.items())
    return Equation('linear', (*indices, *missing * (indices[-1],)),
                    (*factors, *missing * (0.0,), relation.sum), 1, slope,
                    f'constraints.{relation.name}', ())


CONSTRAINT = RelationKind('linear', {
    'description': 'A linear relation of one to three coordinates: one that is held at a value, '
                   'gears, racks, belts, differentials.',
    'required': ['terms'],
    'properties': {
        'terms': {'type': 'object', 'title': 'coordinates with their factors',
                  'additionalProperties': {'$ref': '#/$defs/number'},
                  'description': 'Coordinates by name, each with its factor.'},
        'sum': {'$ref': '#/$defs/number', 'default': 0.0,
                'description': 'What factors times coordinates add up to.'}},
}, _read, _equation, {'sum': 3}, coordinates=lambda relation: relation.terms, in_space=True)
