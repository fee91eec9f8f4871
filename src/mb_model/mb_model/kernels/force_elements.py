"""The elements that make forces: what one of any kind does, see registry.forces.

An element touches only the coordinates that its index names (x and x + 1 of a point).  index (4),
values (8) are rows of the model's force_index, force_value.  Kinds that few mechanisms have are
compiled when a mechanism has such an element, in a kernel for all of them.
"""

from numba import float64, int64, typeof, void
import numpy as np

from mb_model.jit import by_condition, by_number, entry, inlined, kernel
from mb_model.record import FORCE_INDEX
from mb_model.registry.forces import ELEMENTS, RARE, kernels

_POINTS = np.array([len(kind.lines) for kind in ELEMENTS.values()])
_IS_RARE = np.array([kind.is_rare for kind in ELEMENTS.values()])

# Indices of an element whose points, one after the other, have coordinates of their own.
LOCAL_INDEX = 2 * np.arange(FORCE_INDEX)

_INDEX, _VECTOR, _MATRIX = int64[::1], float64[::1], float64[:, ::1]
_constant = np.zeros(1, np.int64)
_constant.flags.writeable = False
_CONSTANT_INDEX = typeof(_constant)         # what LOCAL_INDEX is to the kernels of sparse matrices

_add, _change, _value_change, _add_slopes, _energy, _power = (
    by_number(kernels(name, rare=True))
    for name in ('add', 'change', 'value_change', 'add_slopes', 'energy', 'power'))


@RARE.separate(void, int64, _INDEX, *4 * [_VECTOR])
def _add_rare(kind, index, values, q, qd, Q):
    _add(kind, index, values, q, qd, Q)


@RARE.separate(float64, int64, _INDEX, *6 * [_VECTOR])
def _rare_change(kind, index, values, q, qd, dq, dqd, e):
    return _change(kind, index, values, q, qd, dq, dqd, e)


@RARE.separate(float64, int64, _INDEX, *5 * [_VECTOR])
def _rare_value_change(kind, index, values, changes, q, qd, e):
    return _value_change(kind, index, values, changes, q, qd, e)


@RARE.separate(
    void, int64, _INDEX, *3 * [_VECTOR], float64, float64, _MATRIX,
    later=(int64, _CONSTANT_INDEX, *3 * [_VECTOR], float64, float64, _MATRIX))
def _add_rare_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out):
    _add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out)


@RARE.separate(float64, int64, _INDEX, *2 * [_VECTOR])
def _rare_energy(kind, index, values, q):
    return _energy(kind, index, values, q)


@RARE.separate((float64, float64), int64, _INDEX, *3 * [_VECTOR])
def _rare_power(kind, index, values, q, qd):
    return _power(kind, index, values, q, qd)


@kernel
def _is_rare(kind):
    return _IS_RARE[kind]


def _of_any(name, of_rare):
    return by_condition(_is_rare, of_rare, by_number(kernels(name, rare=False)))


# change(kind, index, values, q, qd, dq, dqd, e): return e^T dQ of an element for changes of q, qd.
change = _of_any('change', _rare_change)

# value_change(kind, index, values, changes, q, qd, e): the same for changes (8) of its values.
value_change = _of_any('value_change', _rare_value_change)

# add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out): add shares of an
# element's stiffness and damping (>= 0), positive semidefinite, to out.
add_slopes = _of_any('add_slopes', _add_rare_slopes)

# energy(kind, index, values, q): return the energy that an element stores [J].
energy = _of_any('energy', _rare_energy)

# power(kind, index, values, q, qd): return (power that drives, power that is lost) of an element
# without its spring [W].
power = _of_any('power', _rare_power)

_add_any = _of_any('add', _add_rare)


@inlined
def add_force(kind, index, values, q, qd, Q):
    """Add the generalized forces of an element to Q."""
    _add_any(kind, index, values, q, qd, Q)


@entry
def points_of(kind):
    """Return how many points the index of an element names, 0 for a coordinate."""
    return _POINTS[kind]
