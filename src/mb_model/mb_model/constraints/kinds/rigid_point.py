"""A further point of a body, rigidly held by the body's first two points.

index: i, j, k; value: along, across, x, y.
"""


from typing import Any

from mb_model.constraints.equation import Equation, EquationKind
from mb_model.jit import kernel


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Point k sits at a fixed offset in the body on points i and j; two equations [m].

        r_k - r_i - along (r_j - r_i) - across n = 0,   n = (r_j - r_i) turned by +90 degrees

    along and across are the point's local coordinates x, y divided by the distance of i and j.
    Linear in the coordinates (natural coordinates: Garcia de Jalon and Bayo 1994, Sec. 2.2), so
    all higher derivatives are zero.
    """
    i, j, k = index[0], index[1], index[2]
    along, across = value[0], value[1]
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi[row] = q[k] - q[i] - along * dx + across * dy
    phi[row + 1] = q[k + 1] - q[i + 1] - along * dy - across * dx
    phi_q[row, i], phi_q[row, i + 1] = along - 1.0, -across
    phi_q[row, j], phi_q[row, j + 1] = -along, across
    phi_q[row, k] = 1.0
    phi_q[row + 1, i], phi_q[row + 1, i + 1] = across, along - 1.0
    phi_q[row + 1, j], phi_q[row + 1, j + 1] = -across, -along
    phi_q[row + 1, k + 1] = 1.0


@kernel
def resize(value, length, span):
    """Write along and across for the length of the body."""
    value[0] = value[2] / length
    value[1] = value[3] / length


@kernel
def resize_change(value, change, length, stretch, span_change):
    """Write the changes of along and across."""
    change[0] = (change[2] - value[0] * stretch) / length
    change[1] = (change[3] - value[1] * stretch) / length


@kernel
def gradient_change(index, change, q, v, out, row):
    """Write phi_qp v."""
    dx, dy = v[index[1]] - v[index[0]], v[index[1] + 1] - v[index[0] + 1]
    out[row] = change[1] * dy - change[0] * dx
    out[row + 1] = -change[0] * dy - change[1] * dx


@kernel
def add_value_change(index, value, change, q, factor, out, row):
    """Add factor * phi_p to out; phi_p is linear in q."""
    dx, dy = q[index[1]] - q[index[0]], q[index[1] + 1] - q[index[0] + 1]
    out[row] += factor * (change[1] * dy - change[0] * dx)
    out[row + 1] += factor * (-change[0] * dy - change[1] * dx)


EQUATION = EquationKind(
    'rigid_point', evaluate, resize=resize, resize_change=resize_change,
    add_value_change=add_value_change, gradient_change=gradient_change,
    needed=True)      # two equations that are needed both or not at all


def of_body(body: Any, point: str, layout: Any) -> Equation:
    """Return the Equation that holds a further point on a body."""
    x, y = body.points[point]
    return Equation('rigid_point', (*layout.axis(body.name), layout.points[point]),
                    (x / body.length, y / body.length, x, y), 2, 1.0,
                    f'bodies.{body.name} at {point}', 3 * (body.name,), inner=True)
