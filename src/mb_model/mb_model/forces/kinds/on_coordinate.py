"""A force on a coordinate, its law forces.law in the coordinate.

index: coordinate.
"""


from mb_model.forces import law
from mb_model.forces.element import ElementKind
from mb_model.jit import kernel

_force, _slopes, _law_change = law.force, law.slopes, law.value_change
_law_energy, _law_power = law.energy, law.power


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized force to Q."""
    Q[index[0]] += _force(values, q[index[0]], qd[index[0]])


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x = index[0]
    stiffness, damping = _slopes(values, qd[x])
    return -e[x] * (stiffness * dq[x] + damping * dqd[x])


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    return _law_change(values, changes, q[index[0]], qd[index[0]]) * e[index[0]]


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    return _law_power(values, q[index[0]], qd[index[0]])


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of its stiffness and damping to out."""
    x = index[0]
    stiffness, damping = _slopes(values, qd[x])
    out[x, x] += stiffness_share * stiffness + damping_share * max(damping, 0.0)


@kernel
def energy(index, values, q):
    """Return the energy of the spring [J]."""
    return _law_energy(values, q[index[0]])


ELEMENT = ElementKind('on_coordinate', add, change, value_change, power, add_slopes, energy,
                      positive=law.POSITIVE)
