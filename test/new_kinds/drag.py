"""A kind of forces of another package: the drag of the air on a point, -coefficient |v| v."""

from dataclasses import dataclass
from math import sqrt

from mb_model.jit import entry
from mb_model.kind_api import Element, ElementKind, ForceKind


@entry
def add(index, values, q, qd, Q):
    """Add its generalized force to Q."""
    i = index[0]
    push = -values[0] * sqrt(qd[i] * qd[i] + qd[i + 1] * qd[i + 1])
    Q[i] += push * qd[i]
    Q[i + 1] += push * qd[i + 1]


@entry
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ."""
    i = index[0]
    speed = sqrt(qd[i] * qd[i] + qd[i + 1] * qd[i + 1])
    if speed == 0.0:
        return 0.0
    along = (qd[i] * dqd[i] + qd[i + 1] * dqd[i + 1]) / speed
    return -values[0] * (e[i] * (speed * dqd[i] + along * qd[i])
                         + e[i + 1] * (speed * dqd[i + 1] + along * qd[i + 1]))


@entry
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for a change of the coefficient."""
    i = index[0]
    speed = sqrt(qd[i] * qd[i] + qd[i + 1] * qd[i + 1])
    return -changes[0] * speed * (e[i] * qd[i] + e[i + 1] * qd[i + 1])


@entry
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    square = qd[index[0]] * qd[index[0]] + qd[index[0] + 1] * qd[index[0] + 1]
    return 0.0, values[0] * square * sqrt(square)


ELEMENT = ElementKind('drag', add, change, value_change, power, lines=(None,),
                      positive=frozenset({0}))


@dataclass(frozen=True)
class Drag:
    """The drag on a point."""

    name: str
    kind: str
    point: str
    coefficient: float


def _read(entries, name, value, coordinates, points, bodies):
    point = entries.one_of(f'forces.{name}.point', value['point'], points, 'point')
    return Drag(name, 'drag', point, value['coefficient']), ()


def _element(layout, drag):
    return Element('drag', (layout.points[drag.point],), (drag.coefficient,))


FORCE = ForceKind('drag', {
    'description': 'The drag of the air on a point.',
    'required': ['point', 'coefficient'],
    'properties': {
        'point': {'$ref': '#/$defs/reference', 'description': 'What the air holds back.'},
        'coefficient': {'$ref': '#/$defs/not_negative',
                        'description': 'Force per squared speed [N s^2/m^2].'}},
}, _read, _element, {'coefficient': 0})
