"""A force along the line between two points: a spring-damper, friction or a drive in a strut.

Its law is forces.law, in the distance of the points; a positive force pushes them apart.
index: i, j.
"""

from math import sqrt

from mb_model.forces import law
from mb_model.forces.element import ElementKind
from mb_model.jit import kernel

_force, _slopes, _law_change = law.force, law.slopes, law.value_change
_law_energy, _law_power = law.energy, law.power


@kernel
def distance(index, q, qd):
    """Return (distance, its rate, ux, uy) with the unit vector u from i to j, 0 if they meet."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    length = sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length, dy / length) if length > 0.0 else (0.0, 0.0)
    return length, ux * (qd[j] - qd[i]) + uy * (qd[j + 1] - qd[i + 1]), ux, uy


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    i, j = index[0], index[1]
    length, rate, ux, uy = distance(index, q, qd)
    push = _force(values, length, rate)
    Q[i] -= push * ux
    Q[i + 1] -= push * uy
    Q[j] += push * ux
    Q[j + 1] += push * uy


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    i, j = index[0], index[1]
    length, rate, ux, uy = distance(index, q, qd)
    if length == 0.0:
        return 0.0
    dx, dy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    stretch = ux * dx + uy * dy
    turn_x, turn_y = (dx - ux * stretch) / length, (dy - uy * stretch) / length
    rate_change = (turn_x * (qd[j] - qd[i]) + turn_y * (qd[j + 1] - qd[i + 1])
                   + ux * (dqd[j] - dqd[i]) + uy * (dqd[j + 1] - dqd[i + 1]))
    stiffness, damping = _slopes(values, rate)
    return (-(stiffness * stretch + damping * rate_change) * (ux * ex + uy * ey)
            + _force(values, length, rate) * (turn_x * ex + turn_y * ey))


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    i, j = index[0], index[1]
    length, rate, ux, uy = distance(index, q, qd)
    return _law_change(values, changes, length, rate) * (
        ux * (e[j] - e[i]) + uy * (e[j + 1] - e[i + 1]))


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    length, rate, _, _ = distance(index, q, qd)
    return _law_power(values, length, rate)


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of its stiffness and damping along the line to out."""
    _, rate, ux, uy = distance(index, q, qd)
    stiffness, damping = _slopes(values, rate)
    weight = stiffness_share * stiffness + damping_share * max(damping, 0.0)
    for first, of_first in ((index[0], -weight), (index[1], weight)):
        for other, of_other in ((index[0], -1.0), (index[1], 1.0)):
            entry = of_first * of_other
            out[first, other] += entry * ux * ux
            out[first, other + 1] += entry * ux * uy
            out[first + 1, other] += entry * ux * uy
            out[first + 1, other + 1] += entry * uy * uy


@kernel
def energy(index, values, q):
    """Return the energy of the spring [J]."""
    length, _, _, _ = distance(index, q, q)
    return _law_energy(values, length)


ELEMENT = ElementKind('between_points', add, change, value_change, power, add_slopes, energy,
                      lines=(None, None), positive=law.POSITIVE)
