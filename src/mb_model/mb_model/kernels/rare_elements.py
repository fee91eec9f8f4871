"""Elements of the kinds that few mechanisms have, see force_elements: a kernel for all of them.

The compiler meets these kernels when a mechanism has such an element.
"""

from numba import float64, int64, typeof, void
import numpy as np

from mb_model.jit import by_number
from mb_model.registry.forces import RARE, kernels

_INDEX, _VECTOR, _MATRIX = int64[::1], float64[::1], float64[:, ::1]
_constant = np.zeros(1, np.int64)
_constant.flags.writeable = False
_CONSTANT_INDEX = typeof(_constant)         # what LOCAL_INDEX is to the kernels of sparse matrices

_add, _change, _value_change, _add_slopes, _energy, _power = (
    by_number(kernels(name, rare=True))
    for name in ('add', 'change', 'value_change', 'add_slopes', 'energy', 'power'))


@RARE.separate(void, int64, _INDEX, *4 * [_VECTOR])
def add_rare(kind, index, values, q, qd, Q):
    """Add the generalized forces of an element to Q."""
    _add(kind, index, values, q, qd, Q)


@RARE.separate(float64, int64, _INDEX, *6 * [_VECTOR])
def rare_change(kind, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ of an element for the changes dq, dqd."""
    return _change(kind, index, values, q, qd, dq, dqd, e)


@RARE.separate(float64, int64, _INDEX, *5 * [_VECTOR])
def rare_value_change(kind, index, values, changes, q, qd, e):
    """Return e^T dQ of an element for changes (8) of its values."""
    return _value_change(kind, index, values, changes, q, qd, e)


@RARE.separate(
    void, int64, _INDEX, *3 * [_VECTOR], float64, float64, _MATRIX,
    later=(int64, _CONSTANT_INDEX, *3 * [_VECTOR], float64, float64, _MATRIX))
def add_rare_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of an element's stiffness and damping to out."""
    _add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out)


@RARE.separate(float64, int64, _INDEX, *2 * [_VECTOR])
def rare_energy(kind, index, values, q):
    """Return the energy that an element stores [J]."""
    return _energy(kind, index, values, q)


@RARE.separate((float64, float64), int64, _INDEX, *3 * [_VECTOR])
def rare_power(kind, index, values, q, qd):
    """Return (power that drives, power that is lost) of an element [W]."""
    return _power(kind, index, values, q, qd)
