"""Masses and inertias of solids: what a density makes of shapes."""

from collections.abc import Iterable
from math import pi

import numpy as np

from mb_import.machine import Inertial
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose


def volume_of(kind: str, size: tuple[float, ...]) -> float:
    """Return the volume of a solid [m^3]; size [m]: see unit_inertia."""
    if kind == 'box':
        return float(np.prod(size))
    if kind == 'ellipsoid':
        return 4.0 / 3.0 * pi * float(np.prod(size))
    radius, *length = size
    if kind == 'sphere':
        return 4.0 / 3.0 * pi * radius ** 3
    if kind == 'cone':
        return pi * radius ** 2 * length[0] / 3.0
    return pi * radius ** 2 * length[0] + (4.0 / 3.0 * pi * radius ** 3 if kind == 'capsule'
                                           else 0.0)


def unit_inertia(kind: str, size: tuple[float, ...]) -> FloatArray:
    """Return the principal inertias over the mass (3) [m^2] about the centre of gravity.

    kind: box (size: edges), ellipsoid (radii), sphere (radius), cylinder, capsule (length without
    its caps) or cone (radius, length along z).  Source: the integrals of homogeneous solids.
    """
    if kind in ('box', 'ellipsoid'):
        squares = np.square(size)
        return (squares.sum() - squares) / (12.0 if kind == 'box' else 5.0)
    radius, *lengths = size
    square = radius * radius
    if kind == 'sphere':
        return np.full(3, 0.4 * square)
    length = lengths[0]
    if kind == 'cone':
        across = 3.0 / 80.0 * (4.0 * square + length * length)
        return np.array([across, across, 0.3 * square])
    across, along = square / 4.0 + length * length / 12.0, square / 2.0
    if kind == 'capsule':
        caps = 4.0 / 3.0 * radius / (length + 4.0 / 3.0 * radius)     # their part of the mass
        # Half a ball about the middle of the capsule: 83/320 m r^2 about its own centre, which is
        # 3/8 r beyond the end of the cylinder.
        end = 83.0 / 320.0 * square + (0.5 * length + 0.375 * radius) ** 2
        across += caps * (end - across)
        along += caps * (0.4 * square - along)
    return np.array([across, across, along])


def centre_of(kind: str, size: tuple[float, ...]) -> FloatArray:
    """Return the centre of gravity (3) [m] of a solid, about the middle of its edges."""
    return np.array([0.0, 0.0, -0.25 * size[1] if kind == 'cone' else 0.0])


def combined(parts: Iterable[Inertial]) -> Inertial | None:
    """Return rigid parts in one frame as one; None if they have no mass."""
    listed = list(parts)
    mass = sum(part.mass for part in listed)
    if not mass > 0.0:
        return None
    centre = sum((part.mass * part.centre for part in listed), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in listed:
        offset = part.centre - centre
        inertia = inertia + part.inertia + part.mass * (offset @ offset * np.eye(3)
                                                        - np.outer(offset, offset))
    return Inertial(mass, centre, inertia)


def solid(kind: str, size: tuple[float, ...], density: float, pose: Pose) -> Inertial:
    """Return the mass properties of a homogeneous solid at a pose; density [kg/m^3]."""
    mass = density * volume_of(kind, size)
    return Inertial(mass, pose.of(centre_of(kind, size)),
                    mass * pose.turn @ np.diag(unit_inertia(kind, size)) @ pose.turn.T)
