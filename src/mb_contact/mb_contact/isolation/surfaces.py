"""Places on the surfaces of bodies where something may touch them."""

from math import pi
from typing import NamedTuple

import numpy as np

from mb_contact.isolation.solid_surfaces import solid_surface

_DISC = 4         # times as many places as on a side of a capsule


class Surface(NamedTuple):
    """Places (k, 3) [m] of a surface, their inward normals and a tangent (k, 3), and areas (k).

    In the body's frame; of a slender body in one whose x is its line.  spreads (k, 2) [m]:
    deviation of what a place stands for, along that tangent and the one across it, 0 where places
    are fine enough; curvatures (k, 2) [1/m]: of the surface along these.
    """

    places: np.ndarray
    normals: np.ndarray
    tangents: np.ndarray
    areas: np.ndarray
    spreads: np.ndarray
    curvatures: np.ndarray


def shaped_bodies(mechanism):
    """Return the names of the bodies that have shapes, in the plane or in space."""
    if mechanism.dimension == 2:
        return tuple(mechanism.shapes)
    return tuple(name for name, body in mechanism.bodies.items() if body.shapes)


def surface_of(mechanism, name, places):
    """Return the Surface of a body.

    places: along each side of a long shape.  Round ends, and ends of cylinders where joints are,
    are left out.
    """
    if mechanism.dimension == 2:
        at, normals = (np.column_stack([part, np.zeros(len(part))])
                       for part in _flat_surface(mechanism.shapes[name], places))
        none = np.zeros((len(at), 2))
        return Surface(at, normals, np.cross([0.0, 0.0, 1.0], normals), np.ones(len(at)), none,
                       none)
    body, joints = mechanism.bodies[name], places_of_joints(mechanism, name)
    parts = [solid_surface(solid, places, joints, body.line if body.slender else None)
             for solid in body.shapes]
    return Surface(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def places_of_joints(mechanism, name):
    """Return where a body in space has its joints (k, 3) [m]."""
    return np.reshape([place for joint in mechanism.joints.values()
                       for body, place in zip(joint.bodies, joint.places, strict=True)
                       if body == name], (-1, 3))


def _flat_surface(shape, places):
    """Return places (k, 2) [m] evenly over the surface of a BodyShape, inward normals (k, 2)."""
    ends = np.array(shape.ends, float)
    if shape.is_disc:
        angles = 2.0 * pi * (np.arange(_DISC * places) + 0.5) / (_DISC * places)
        outward = np.column_stack([np.cos(angles), np.sin(angles)])
        return ends[0] + shape.radius * outward, -outward
    along = (np.arange(places) + 0.5)[:, None] / places
    middle = ends[0] + along * (ends[1] - ends[0])
    left = _left_of(ends[1] - ends[0])
    return (np.vstack([middle + shape.radius * left, middle - shape.radius * left]),
            np.vstack([np.tile(-left, (places, 1)), np.tile(left, (places, 1))]))


def _left_of(direction):
    """Return the unit vector to the left of a direction (2)."""
    return np.array([-direction[1], direction[0]]) / np.hypot(*direction)
