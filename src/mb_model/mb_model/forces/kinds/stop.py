"""Stops at the limits of a coordinate: a spring and a damper behind each, which never pull.

    F = max(k p - d x', 0) where x is p below the lower limit, -max(k p + d x', 0) where above the
    upper one, else 0.

Source: Featherstone 2008 (Rigid body dynamics algorithms), Sec. 11.8, a spring and a damper in one
contact.  index: coordinate; values: lower, upper, k, d.
"""

from typing import Any

from mb_model.forces.acting import Stop
from mb_model.forces.element import Element, ElementKind, ForceKind
from mb_model.jit import kernel


@kernel
def _depth(values, x):
    """Return (how deep x is in a stop, 1 at the lower one or -1 at the upper one)."""
    if x < values[0]:
        return values[0] - x, 1.0
    return max(x - values[1], 0.0), -1.0


@kernel
def _push(values, x, v):
    """Return (how hard the stop pushes, its side)."""
    depth, side = _depth(values, x)
    return max(values[2] * depth - side * values[3] * v, 0.0) if depth > 0.0 else 0.0, side


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized force to Q."""
    push, side = _push(values, q[index[0]], qd[index[0]])
    Q[index[0]] += side * push


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x = index[0]
    if _push(values, q[x], qd[x])[0] > 0.0:
        return -e[x] * (values[2] * dq[x] + values[3] * dqd[x])
    return 0.0


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    x = index[0]
    push, side = _push(values, q[x], qd[x])
    if not push > 0.0:
        return 0.0
    limit = changes[0] if side > 0.0 else changes[1]
    return e[x] * (values[2] * limit + side * _depth(values, q[x])[0] * changes[2]
                   - changes[3] * qd[x])


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    x = index[0]
    push, side = _push(values, q[x], qd[x])
    return 0.0, side * (values[2] * _depth(values, q[x])[0] - push) * qd[x]


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of its stiffness and damping to out."""
    x = index[0]
    if _push(values, q[x], qd[x])[0] > 0.0:
        out[x, x] += stiffness_share * values[2] + damping_share * values[3]


@kernel
def energy(index, values, q):
    """Return the energy of the spring [J]."""
    depth = _depth(values, q[index[0]])[0]
    return 0.5 * values[2] * depth * depth


ELEMENT = ElementKind('stop', add, change, value_change, power, add_slopes, energy,
                      positive=frozenset((2, 3)), is_rare=True)


def _element(layout: Any, stop: Stop) -> Element:
    return Element('stop', (layout.index(stop.coordinate),), stop.values)


# Of the key `limits` of coordinates.
FORCE = ForceKind('stop', {}, None, _element,
                  {'lower': 0, 'upper': 1, 'stiffness': 2, 'damping': 3})
