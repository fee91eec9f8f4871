"""The lateral force of a tyre whose carcass yields: its slip follows along a relaxation length.

index: i, j as of tyre, and p; values: as of tyre (x, y, C, L, v0), the relaxation length sigma
[m], and the inertia of p.  The deflection y of the carcass is the rate of a coordinate p of its
own, which nothing else touches, as bristles have (see lugre):

    y' = -w - v y / sigma,   v = sqrt(u^2 + v0^2),   F = F(y / sigma)

F: the curve of tyre.  Steady, y / sigma = -w / v is its slip.  The inertia of p is C / sigma, so
its kinetic energy is what the carcass of a linear tyre holds.  Source: Pacejka 2012 (Tire and
Vehicle Dynamics), Sec. 7.2, a contact patch of one point.
"""

from math import sqrt

from mb_model.forces.element import ElementKind
from mb_model.forces.kinds.tyre import (
    across,
    across_change,
    along,
    along_change,
    curve,
    moved_across,
    moved_along,
    push_across,
)
from mb_model.jit import kernel


@kernel
def _slip(index, values, q, qd):
    """Return u, w, v [m/s], y / sigma and y' [m/s]."""
    u, w = along(index, values[0], values[1], q, qd), across(index, values[0], values[1], q, qd)
    speed, slip = sqrt(u * u + values[4] * values[4]), qd[index[2]] / values[5]
    return u, w, speed, slip, -w - speed * slip


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q: on the body, and on the coordinate of the carcass."""
    _, _, _, slip, rate = _slip(index, values, q, qd)
    force, _, _, _ = curve(values[2], values[3], slip)
    push_across(index, values[0], values[1], force, q, Q)
    Q[index[2]] += values[6] * rate


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x, y, p = values[0], values[1], index[2]
    u, _, speed, slip, _ = _slip(index, values, q, qd)
    force, slope, _, _ = curve(values[2], values[3], slip)
    du = along(index, x, y, q, dqd) + along_change(index, x, y, q, dq, qd)
    dw = across(index, x, y, q, dqd) + across_change(index, x, y, q, dq, qd)
    dslip = dqd[p] / values[5]
    return (slope * dslip * across(index, x, y, q, e)
            + force * across_change(index, x, y, q, dq, e)
            - values[6] * (dw + u * du / speed * slip + speed * dslip) * e[p])


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    u, _, speed, slip, rate = _slip(index, values, q, qd)
    force, slope, by_stiffness, by_largest = curve(values[2], values[3], slip)
    du, dw = (moved_along(index, changes[0], changes[1], q, qd),
              moved_across(index, changes[0], changes[1], q, qd))
    dslip = -slip / values[5] * changes[5]
    dspeed = (u * du + values[4] * changes[4]) / speed
    return ((slope * dslip + by_stiffness * changes[2] + by_largest * changes[3])
            * across(index, values[0], values[1], q, e)
            + force * moved_across(index, changes[0], changes[1], q, e)
            + (changes[6] * rate - values[6] * (dw + dspeed * slip + speed * dslip)) * e[index[2]])


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add a share of the damping of the carcass to out."""
    _, _, speed, _, _ = _slip(index, values, q, qd)
    out[index[2], index[2]] += damping_share * values[6] * speed / values[5]


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]; what the carcass holds is kinetic, see above."""
    _, w, _, slip, rate = _slip(index, values, q, qd)
    force, _, _, _ = curve(values[2], values[3], slip)
    return 0.0, -force * w - values[6] * rate * qd[index[2]]


ELEMENT = ElementKind('relaxed_tyre', add, change, value_change, power, add_slopes,
                      lines=((0, 1), (0, 1)), positive=frozenset({2, 3, 4, 5, 6}),
                      is_rare=True)
