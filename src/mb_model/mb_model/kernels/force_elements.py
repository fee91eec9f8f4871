"""The elements that make forces: what one of any kind does, see registry.forces.

An element touches only the coordinates that its index names (x and x + 1 of a point).  index (4),
values (8) are rows of the model's force_index, force_value.
"""

import numpy as np

from mb_model.jit import by_condition, by_number, entry, inlined, kernel
from mb_model.kernels import rare_elements as rare
from mb_model.record import FORCE_INDEX
from mb_model.registry.forces import ELEMENTS, kernels

_POINTS = np.array([len(kind.lines) for kind in ELEMENTS.values()])
_IS_RARE = np.array([kind.is_rare for kind in ELEMENTS.values()])


@kernel
def _is_rare(kind):
    return _IS_RARE[kind]


_add, _change, _value_change, _add_slopes, _energy, _power = (
    by_condition(_is_rare, of_rare, by_number(kernels(name, rare=False)))
    for name, of_rare in (
        ('add', rare.add_rare), ('change', rare.rare_change),
        ('value_change', rare.rare_value_change), ('add_slopes', rare.add_rare_slopes),
        ('energy', rare.rare_energy), ('power', rare.rare_power)))

# Indices of an element whose points, one after the other, have coordinates of their own.
LOCAL_INDEX = 2 * np.arange(FORCE_INDEX)


@entry
def points_of(kind):
    """Return how many points the index of an element names, 0 for a coordinate."""
    return _POINTS[kind]


@inlined
def add_force(kind, index, values, q, qd, Q):
    """Add the generalized forces of an element to Q."""
    _add(kind, index, values, q, qd, Q)


@inlined
def change(kind, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ of an element for the changes dq, dqd."""
    return _change(kind, index, values, q, qd, dq, dqd, e)


@inlined
def value_change(kind, index, values, changes, q, qd, e):
    """Return e^T dQ of an element for changes (8) of its values."""
    return _value_change(kind, index, values, changes, q, qd, e)


@inlined
def add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of an element's stiffness and damping (>= 0), positive semidefinite, to out."""
    _add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out)


@inlined
def energy(kind, index, values, q):
    """Return the energy that an element stores [J]."""
    return _energy(kind, index, values, q)


@inlined
def power(kind, index, values, q, qd):
    """Return (power that drives, power that is lost) of an element without its spring [W]."""
    return _power(kind, index, values, q, qd)
