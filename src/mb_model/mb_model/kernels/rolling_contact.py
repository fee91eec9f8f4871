"""Where a ball or a disc touches a plane at rest, and how that moves.

A disc with the axis a touches it at the arm p = r (u a - n) / cosine from its centre, u = a . n,
cosine^2 = 1 - u^2, n the plane's normal; a ball at p = -r n, the same with a = 0.

roll_index: the centre, the three unit vectors of the body, the axis (-1: a ball); roll_value: r,
n, both tangents of the plane, decay [1/s], see kernels.rolling.
"""

from math import sqrt

from mb_model.jit import kernel
from mb_model.space.triples import dot, plus, times
from mb_model.space.vectors import vector

ZERO = (0.0, 0.0, 0.0)
_FLAT = 1e-18           # square of the cosine of a disc that lies: it has no contact


@kernel
def axis_of(model, index, v):
    """Return the axis of a body for an array v; none of a ball."""
    return vector(model, index[4], v) if index[4] >= 0 else ZERO


@kernel
def tangent_of(values, side):
    """Return a tangent of the plane."""
    return values[4 + 3 * side], values[5 + 3 * side], values[6 + 3 * side]


@kernel
def arm_of(values, a, rate, da, drate):
    """Return p, its rate and the changes of both for the axis, its rate and their changes.

    From cosine p = r (u a - n), differentiated once and twice.
    """
    radius, n = values[0], (values[1], values[2], values[3])
    u, ud, du, dud = dot(a, n), dot(rate, n), dot(da, n), dot(drate, n)
    share = 1.0 / sqrt(max(1.0 - u * u, _FLAT))
    cd, dc = -u * ud * share, -u * du * share
    dcd = -(du * ud + u * dud + cd * dc) * share
    arm = times(radius * share, plus(times(u, a), n, -1.0))
    moving = times(share, plus(times(radius, plus(times(ud, a), rate, u)), arm, -cd))
    darm = times(share, plus(times(radius, plus(times(du, a), da, u)), arm, -dc))
    both = times(radius, plus(plus(times(dud, a), da, ud), plus(times(du, rate), drate, u), 1.0))
    dmoving = times(share, plus(plus(plus(both, moving, -dc), darm, -cd), arm, -dcd))
    return arm, moving, darm, dmoving
