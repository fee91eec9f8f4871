"""A moment between two bodies: friction or a motor in a joint.

Its law is forces.law in the rate of the angle from the line i-j of the first body to the
line k-l of the second; a positive moment increases it.  Springs are forces on a relative angle,
a coordinate: it counts turns, which positions of points cannot.  index: i, j, k, l.
"""


from mb_model.forces import law
from mb_model.forces.element import ElementKind
from mb_model.jit import kernel

_force, _slopes, _law_change, _law_power = law.force, law.slopes, law.value_change, law.power


@kernel
def _turn(i, j, q, e):
    """Return how the angle of the line i-j changes with the coordinates along e."""
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    return (dx * (e[j + 1] - e[i + 1]) - dy * (e[j] - e[i])) / (dx * dx + dy * dy)


@kernel
def _turn_change(i, j, q, dq, e):
    """Return the change of _turn with the coordinates along dq."""
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    cx, cy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    square = dx * dx + dy * dy
    return ((cx * (e[j + 1] - e[i + 1]) - cy * (e[j] - e[i])) / square
            - 2.0 * (dx * cx + dy * cy) / square * _turn(i, j, q, e))


@kernel
def share(index, q, e):
    """Return how the angle changes with the coordinates along e; with e = qd its rate."""
    return _turn(index[2], index[3], q, e) - _turn(index[0], index[1], q, e)


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    push = _force(values, 0.0, share(index, q, qd))
    for i, j, moment in ((index[0], index[1], -push), (index[2], index[3], push)):
        dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
        couple = moment / (dx * dx + dy * dy)
        Q[i] += couple * dy
        Q[i + 1] -= couple * dx
        Q[j] -= couple * dy
        Q[j + 1] += couple * dx


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    rate = share(index, q, qd)
    rate_change = (share(index, q, dqd) + _turn_change(index[2], index[3], q, dq, qd)
                   - _turn_change(index[0], index[1], q, dq, qd))
    _, damping = _slopes(values, rate)
    return (-damping * rate_change * share(index, q, e)
            + _force(values, 0.0, rate)
            * (_turn_change(index[2], index[3], q, dq, e)
               - _turn_change(index[0], index[1], q, dq, e)))


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add a share of its damping in the angle to out."""
    _, damping = _slopes(values, share(index, q, qd))
    weight = damping_share * max(damping, 0.0)
    for a in range(8):
        first, of_first = _gradient(index, q, a)
        for b in range(8):
            other, of_other = _gradient(index, q, b)
            out[first, other] += weight * of_first * of_other


@kernel
def _gradient(index, q, a):
    """Return the a-th of the coordinates that decide the angle, and its derivative in it."""
    line, end, axis = a // 4, (a // 2) % 2, a % 2
    i, j = index[2 * line], index[2 * line + 1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    slope = (-dy if axis == 0 else dx) / (dx * dx + dy * dy)
    return (j if end else i) + axis, slope if end == line else -slope


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    return _law_change(values, changes, 0.0, share(index, q, qd)) * share(index, q, e)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    return _law_power(values, 0.0, share(index, q, qd))


ELEMENT = ElementKind('between_bodies', add, change, value_change, power, add_slopes,
                      lines=((0, 1), (0, 1), (2, 3), (2, 3)), positive=law.POSITIVE,
                      is_rare=True)
