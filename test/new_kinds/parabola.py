"""A kind of constraints of another package: a point on a parabola y = curvature x^2."""

from dataclasses import dataclass

from mb_model.jit import entry
from mb_model.kind_api import Constraint, Equation, EquationKind, RelationKind


@entry
def evaluate(index, value, q, phi, phi_q, row):
    """y - curvature x^2 = 0 [m]."""
    i = index[0]
    phi[row] = q[i + 1] - value[0] * q[i] * q[i]
    phi_q[row, i], phi_q[row, i + 1] = -2.0 * value[0] * q[i], 1.0


@entry
def second(index, value, q, v, out, row):
    """Write phi_qq v."""
    out[row, index[0]] = -2.0 * value[0] * v[index[0]]


@entry
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq."""
    out[index[0], index[0]] -= 2.0 * weight * value[0]


@entry
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w; s: the curvature."""
    return -2.0 * s * v[i] * w[i]


@entry
def add_value_change(index, value, change, q, factor, out, row):
    """Add factor * phi_p."""
    out[row] -= factor * change[0] * q[index[0]] * q[index[0]]


@entry
def gradient_change(index, change, q, v, out, row):
    """Write phi_qp v."""
    out[row] = -2.0 * change[0] * q[index[0]] * v[index[0]]


@entry
def curvature_change(index, change, v):
    """Return v^T phi_qqp v."""
    return -2.0 * change[0] * v[index[0]] * v[index[0]]


EQUATION = EquationKind(
    'parabola', evaluate, second, curvature=curvature, bilinear=bilinear,
    add_value_change=add_value_change, gradient_change=gradient_change,
    curvature_change=curvature_change)


@dataclass(frozen=True)
class Parabola(Constraint):
    """A point stays on y = curvature x^2."""

    point: str
    curvature: float


def _read(entries, path, name, value, points, bodies):
    point = entries.one_of(f'{path}.point', value['point'], points, 'point')
    return Parabola(name, 'parabola', point, value['curvature'])


def _equation(layout, parabola):
    return Equation('parabola', (layout.points[parabola.point],), (parabola.curvature,), 1, 1.0,
                    f'constraints.{parabola.name}', (None,))


CONSTRAINT = RelationKind('parabola', {
    'description': 'A point stays on a parabola.',
    'required': ['point', 'curvature'],
    'properties': {
        'point': {'$ref': '#/$defs/reference', 'description': 'The bead on the wire.'},
        'curvature': {'$ref': '#/$defs/number', 'description': 'Of the wire [1/m].'}},
}, _read, _equation, {'curvature': 0})
