"""The chord of a beam is shorter by as much as the beam bends.

    |r_j - r_i|^2 + |r_k - r_i|^2 + |r_l - r_i|^2 + |r_p - r_i|^2 = L^2

Points k, l, p stand for modes: r_k - r_i is the mode's vector, as long as sqrt(L g) q with
g = int phi'^2 dx, so that to the second order in q the chord is L - g q^2 / 2 (foreshortening:
Shabana 2020, Dynamics of Multibody Systems, Sec. 5.5).  By it axial forces stiffen or soften the
beam.  Modes that are not there are i itself.

index: i, j, k, l, p; value: L.
"""

from typing import Any

from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.kinds import constant_distance
from mb_model.jit import kernel

MOST_MODES = 3


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Write phi[row]; add to phi_q[row, :]."""
    i, total = index[0], -value[0] * value[0]
    for slot in range(1, 5):
        for axis in range(2):
            here, there = i + axis, index[slot] + axis
            apart = q[there] - q[here]
            total += apart * apart
            phi_q[row, there] += 2.0 * apart
            phi_q[row, here] -= 2.0 * apart
    phi[row] = total


@kernel
def second(index, value, q, v, out, row):
    """Add phi_qq v to out[row, :]."""
    for slot in range(1, 5):
        for axis in range(2):
            here, there = index[0] + axis, index[slot] + axis
            apart = 2.0 * (v[there] - v[here])
            out[row, there] += apart
            out[row, here] -= apart


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    w = 2.0 * weight
    for slot in range(1, 5):
        for axis in range(2):
            a, b = index[0] + axis, index[slot] + axis
            out[a, a] += w
            out[b, b] += w
            out[a, b] -= w
            out[b, a] -= w


@kernel
def _product(i, j, v, w):
    return (v[j] - v[i]) * (w[j] - w[i]) + (v[j + 1] - v[i + 1]) * (w[j + 1] - w[i + 1])


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w."""
    return 2.0 * (_product(i, j, v, w) + _product(i, k, v, w) + _product(i, l, v, w)
                  + _product(i, p, v, w))


EQUATION = EquationKind('bent_length', evaluate, second, curvature=curvature, bilinear=bilinear,
                        in_metres=constant_distance.in_metres)


def of_beam(body: Any, layout: Any) -> Equation:
    """Return the Equation of the chord of a flexible body."""
    i, j = layout.axis(body.name)
    modes = [layout.points[name] for name in body.mode_points]
    first, second_point, *_ = body.points
    return Equation('bent_length', (i, j, *modes, *(MOST_MODES - len(modes)) * (i,)),
                    (body.length,), 1, 2.0 * body.length,
                    f'bodies.{body.name} between {first} and {second_point}',
                    2 * (body.name,) + MOST_MODES * (None,), inner=True)
