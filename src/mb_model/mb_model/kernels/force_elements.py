"""The elements that make forces: their kinds, and what every kind offers.

An element touches only the coordinates that its index names (x and x + 1 of a point).  index (4),
values (7) are rows of the model's force_index, force_value; see the file of each kind.
"""

from numba import njit

from mb_model.kernels import coordinate_force, load, point_force, turning_force

ON_COORDINATE = 0         # index: coordinate; coordinate_force
BETWEEN_POINTS = 1        # point_force
BETWEEN_BODIES = 2        # turning_force
LOAD = 3                  # load, its force in global axes
TURNING_LOAD = 4          # load, its force turning with the body

_force, _slopes, _law_change = (
    coordinate_force.force, coordinate_force.slopes, coordinate_force.value_change)
_add_point, _point_change, _point_slopes, _distance, _point_share = (
    point_force.add, point_force.change, point_force.add_slopes, point_force.distance,
    point_force.share)
_add_turning, _turning_change, _turning_slopes, _turning_share = (
    turning_force.add, turning_force.change, turning_force.add_slopes, turning_force.share)
_add_load, _load_change, _load_value_change = load.add, load.change, load.value_change


@njit(cache=True)
def points_of(kind):
    """Return how many points the index of an element names, 0 for a coordinate."""
    if kind == ON_COORDINATE:
        return 0
    return 4 if kind == BETWEEN_BODIES else 2


@njit(cache=True)
def add_force(kind, index, values, q, qd, Q):
    """Add the generalized forces of an element to Q."""
    if kind == ON_COORDINATE:
        Q[index[0]] += _force(values, q[index[0]], qd[index[0]])
    elif kind == BETWEEN_POINTS:
        _add_point(index, values, q, qd, Q)
    elif kind == BETWEEN_BODIES:
        _add_turning(index, values, q, qd, Q)
    else:
        _add_load(index, values, kind == TURNING_LOAD, q, Q)


@njit(cache=True)
def motion(kind, index, values, q, qd):
    """Return (x, v), the length or angle that the law is in and its rate; 0, 0 for a load.

    x is 0 between bodies: only the rate matters there.
    """
    if kind == ON_COORDINATE:
        return q[index[0]], qd[index[0]]
    if kind == BETWEEN_POINTS:
        length, rate, _, _ = _distance(index, q, qd)
        return length, rate
    if kind == BETWEEN_BODIES:
        return 0.0, _turning_share(index, q, qd)
    return 0.0, 0.0


@njit(cache=True)
def change(kind, index, values, q, qd, dq, dqd, e):
    """Return e^T dQ of an element for the changes dq, dqd."""
    if kind == ON_COORDINATE:
        place = index[0]
        stiffness, damping = _slopes(values, qd[place])
        return -e[place] * (stiffness * dq[place] + damping * dqd[place])
    if kind == BETWEEN_POINTS:
        return _point_change(index, values, q, qd, dq, dqd, e)
    if kind == BETWEEN_BODIES:
        return _turning_change(index, values, q, qd, dq, dqd, e)
    return _load_change(index, values, kind == TURNING_LOAD, q, dq, e)


@njit(cache=True)
def value_change(kind, index, values, changes, q, qd, e):
    """Return e^T dQ of an element for changes (7) of its values."""
    if kind in (LOAD, TURNING_LOAD):
        return _load_value_change(index, values, changes, kind == TURNING_LOAD, q, e)
    x, v = motion(kind, index, values, q, qd)
    push = _law_change(values, changes, x, v)
    if kind == ON_COORDINATE:
        return push * e[index[0]]
    if kind == BETWEEN_POINTS:
        return push * _point_share(index, q, qd, e)
    return push * _turning_share(index, q, e)


@njit(cache=True)
def add_slopes(kind, index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of an element's stiffness and damping (>= 0), positive semidefinite, to out."""
    if kind == ON_COORDINATE:
        place = index[0]
        stiffness, damping = _slopes(values, qd[place])
        out[place, place] += stiffness_share * stiffness + damping_share * max(damping, 0.0)
    elif kind == BETWEEN_POINTS:
        _point_slopes(index, values, q, qd, stiffness_share, damping_share, out)
    elif kind == BETWEEN_BODIES:
        _turning_slopes(index, values, q, qd, damping_share, out)
