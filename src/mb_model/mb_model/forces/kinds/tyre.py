"""The lateral force of a tyre that rolls along its body, linear in the slip angle or Fiala's.

index: i, j, the first two points of the wheel, or of a body with wheels that do not steer; values:
offset x, y of the contact in the body's frame [m], cornering stiffness C [N/rad], largest force L
[N] (0: none, linear), standstill speed v0 [m/s].  With the velocity (u, w) of the contact along and
across the body, s = -w / sqrt(u^2 + v0^2) is the tangent of the slip angle alpha, and the force
across is

    F = C alpha                                                                     linear
    F = C s - C^2 |s| s / (3 L) + C^3 s^3 / (27 L^2),  L sign(s) if |s| > 3 L / C   Fiala

Source: Fiala 1954, as in Pacejka 2012 (Tire and Vehicle Dynamics), Sec. 3.2, with one friction for
sticking and sliding.  No force along the body; with a relaxation length see relaxed_tyre.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import atan, sqrt
from typing import Any, ClassVar

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import AT, read_body_and_at
from mb_model.forces.element import Element, ElementKind, ForceKind
from mb_model.jit import entry, kernel

_SLOTS = {'at.x': 0, 'at.y': 1, 'cornering_stiffness': 2, 'largest_force': 3,
          'standstill_speed': 4, 'relaxation_length': 5}


@entry
def curve(stiffness, largest, s):
    """Return F(s) [N], and its derivatives by s, C and L."""
    if largest == 0.0:
        return stiffness * atan(s), stiffness / (1.0 + s * s), atan(s), 0.0
    share = stiffness * abs(s) / (3.0 * largest)                    # of sliding
    sign = 1.0 if s > 0.0 else -1.0
    if share >= 1.0:
        return largest * sign, 0.0, 0.0, sign
    force = 3.0 * largest * share * (1.0 - share + share * share / 3.0)
    sticking = (1.0 - share) * (1.0 - share)
    return (force * sign, stiffness * sticking, s * sticking,
            (3.0 * share * share - 2.0 * share ** 3) * sign)


@kernel
def across(index, x, y, q, e):
    """Return e of the contact, linear in the coordinates of i and j, across the body."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    return ((e[i + 1] * dx - e[i] * dy) / sqrt(square)
            + (x * (ey * dx - ex * dy) + y * (ex * dx + ey * dy)) / square)


@kernel
def along(index, x, y, q, e):
    """Return e of the contact along the body."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    return ((e[i] * dx + e[i + 1] * dy) / sqrt(square)
            + (x * (ex * dx + ey * dy) - y * (ey * dx - ex * dy)) / square)


@kernel
def across_change(index, x, y, q, dq, e):
    """Return the change of `across` with dq."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    cx, cy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    stretch = (dx * cx + dy * cy) / square
    cross, dot = ey * dx - ex * dy, ex * dx + ey * dy
    return ((e[i + 1] * cx - e[i] * cy - stretch * (e[i + 1] * dx - e[i] * dy)) / sqrt(square)
            + (x * (ey * cx - ex * cy - 2.0 * stretch * cross)
               + y * (ex * cx + ey * cy - 2.0 * stretch * dot)) / square)


@kernel
def along_change(index, x, y, q, dq, e):
    """Return the change of `along` with dq."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    cx, cy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    stretch = (dx * cx + dy * cy) / square
    cross, dot = ey * dx - ex * dy, ex * dx + ey * dy
    return ((e[i] * cx + e[i + 1] * cy - stretch * (e[i] * dx + e[i + 1] * dy)) / sqrt(square)
            + (x * (ex * cx + ey * cy - 2.0 * stretch * dot)
               - y * (ey * cx - ex * cy - 2.0 * stretch * cross)) / square)


@kernel
def slip(index, values, q, qd):
    """Return u, w [m/s], sqrt(u^2 + v0^2) and s."""
    u, w = along(index, values[0], values[1], q, qd), across(index, values[0], values[1], q, qd)
    speed = sqrt(u * u + values[4] * values[4])
    return u, w, speed, -w / speed


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q."""
    _, _, _, s = slip(index, values, q, qd)
    force, _, _, _ = curve(values[2], values[3], s)
    push_across(index, values[0], values[1], force, q, Q)


@kernel
def push_across(index, x, y, force, q, Q):
    """Add the generalized forces of a force across the body at an offset to Q."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    inverse = 1.0 / sqrt(dx * dx + dy * dy)
    fx, fy = -force * dy * inverse, force * dx * inverse
    x, y = x * inverse, y * inverse
    Q[i] += (1.0 - x) * fx - y * fy
    Q[i + 1] += (1.0 - x) * fy + y * fx
    Q[j] += x * fx + y * fy
    Q[j + 1] += x * fy - y * fx


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x, y = values[0], values[1]
    u, _, speed, s = slip(index, values, q, qd)
    force, slope, _, _ = curve(values[2], values[3], s)
    du = along(index, x, y, q, dqd) + along_change(index, x, y, q, dq, qd)
    dw = across(index, x, y, q, dqd) + across_change(index, x, y, q, dq, qd)
    ds = (-dw - s * u * du / speed) / speed
    return (slope * ds * across(index, x, y, q, e)
            + force * across_change(index, x, y, q, dq, e))


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    x, y = values[0], values[1]
    u, _, speed, s = slip(index, values, q, qd)
    force, slope, by_stiffness, by_largest = curve(values[2], values[3], s)
    du = moved_along(index, changes[0], changes[1], q, qd)
    dw = moved_across(index, changes[0], changes[1], q, qd)
    ds = (-dw - s * (u * du + values[4] * changes[4]) / speed) / speed
    return ((slope * ds + by_stiffness * changes[2] + by_largest * changes[3])
            * across(index, x, y, q, e)
            + force * moved_across(index, changes[0], changes[1], q, e))


@kernel
def moved_across(index, x, y, q, e):
    """Return the change of `across` with changes x, y of the offset."""
    return across(index, x, y, q, e) - across(index, 0.0, 0.0, q, e)


@kernel
def moved_along(index, x, y, q, e):
    """Return the change of `along` with changes x, y of the offset."""
    return along(index, x, y, q, e) - along(index, 0.0, 0.0, q, e)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]."""
    _, w, _, s = slip(index, values, q, qd)
    force, _, _, _ = curve(values[2], values[3], s)
    return 0.0, -force * w


ELEMENT = ElementKind('tyre', add, change, value_change, power, lines=((0, 1), (0, 1)),
                      positive=frozenset({2, 3, 4}), is_rare=True)


@dataclass(frozen=True)
class Tyre:
    """A tyre at a point of a body, which rolls along the body's x."""

    body: str
    at: tuple[float, float] | str       # in the body's frame [m], or a point's name
    cornering_stiffness: float          # [N/rad]
    largest_force: float                # [N]; 0: linear
    standstill_speed: float             # [m/s]
    relaxation_length: float = 0.0      # [m]; 0: none
    carcass: str = ''                   # the coordinate whose rate is its deflection
    kind: ClassVar[str] = 'tyre'        # its ForceKind


def _read(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
          points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> tuple[Tyre, tuple[Coordinate, ...]]:
    """Return a Tyre."""
    body, at = read_body_and_at(entries, f'forces.{name}', value, bodies)
    tyre = Tyre(body.name, at, value['cornering_stiffness'], value.get('largest_force', 0.0),
                value['standstill_speed'])
    if 'relaxation_length' not in value:
        return tyre, ()
    length = value['relaxation_length']
    own = Coordinate(f'{name}.carcass', 'carcass', 'm', inertia=tyre.cornering_stiffness / length)
    return replace(tyre, relaxation_length=length, carcass=own.name), (own,)


def _element(layout: Any, tyre: Tyre) -> Element:
    values = (*layout.offset(tyre), tyre.cornering_stiffness, tyre.largest_force,
              tyre.standstill_speed)
    if not tyre.carcass:
        return Element('tyre', layout.axis(tyre.body), values)
    return Element('relaxed_tyre', (*layout.axis(tyre.body), layout.index(tyre.carcass)), (
        *values, tyre.relaxation_length, tyre.cornering_stiffness / tyre.relaxation_length))


FORCE = ForceKind('tyre', {
    'description': "The lateral force of a tyre that rolls along its body's x: linear in the slip "
                   "angle, or Fiala's.",
    'required': ['body', 'cornering_stiffness'],
    'properties': {
        'body': {'$ref': '#/$defs/reference',
                 'description': 'The wheel, or a body with wheels that do not steer.'},
        'at': AT | {'description': "The contact, in the body's frame [m] or a point of the body by "
                                   'name.'},
        'cornering_stiffness': {'$ref': '#/$defs/positive',
                                'description': 'Force by slip angle, at small ones [N/rad].'},
        'largest_force': {'$ref': '#/$defs/positive',
                          'description': 'The force of a tyre that slides, friction times load '
                                         "[N], of Fiala's curve; without it the tyre is linear."},
        'standstill_speed': {
            '$ref': '#/$defs/positive', 'default': 0.5,
            'description': 'Speed below which the slip angle fades out [m/s].'},
        'relaxation_length': {
            '$ref': '#/$defs/positive',
            'description': 'Travel along which the force follows the slip angle [m]; without it '
                           'there is none. The deflection of the carcass is the rate of a '
                           'coordinate that it adds, called after it with .carcass behind.'}},
}, _read, _element, _SLOTS, optional=frozenset({'largest_force', 'relaxation_length'}))
