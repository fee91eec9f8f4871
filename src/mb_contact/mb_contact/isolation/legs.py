"""Long shapes of two bodies that share a joint: they clamp things between them."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from mb_model.space_api import kind_of

_LONG = 3.0            # a shape in space is a leg if it is so many times longer than its radius


class Leg(NamedTuple):
    """A body from the end of its shape at a joint (3) to the other end, radius [m].

    In the body's frame, of a slender body in one whose x is its line.
    """

    body: str
    start: np.ndarray
    end: np.ndarray
    radius: float


def clamping_legs(mechanism):
    """Return (Leg, Leg) of all bodies that clamp things."""
    return _in_plane(mechanism) if mechanism.dimension == 2 else _in_space(mechanism)


def _in_plane(mechanism):
    """Return the legs whose shapes end at the same point."""
    ends = {name: _end_points(mechanism, name)
            for name, shape in mechanism.shapes.items() if not shape.is_disc}
    return [tuple(_planar_leg(mechanism, name, joint) for name in pair)
            for pair in combinations(ends, 2)
            for joint in ends[pair[0]] if joint in ends[pair[1]]]


def _end_points(mechanism, name):
    """Return the names of a body's points at the ends of its shape."""
    return [point for point, place in mechanism.bodies[name].points.items()
            if tuple(place) in [tuple(end) for end in mechanism.shapes[name].ends]]


def _planar_leg(mechanism, name, joint):
    shape = mechanism.shapes[name]
    start, ends = np.array(mechanism.bodies[name].points[joint]), np.array(shape.ends)
    return Leg(name, np.append(start, 0.0), np.append(ends.sum(axis=0) - start, 0.0),
               shape.radius)


def _in_space(mechanism):
    """Return the legs of joints at which both bodies have a long shape."""
    found = []
    for joint in mechanism.joints.values():
        if kind_of(joint).folds and all(body in mechanism.bodies for body in joint.bodies):
            legs = [_spatial_leg(mechanism.bodies[body], place)
                    for body, place in zip(joint.bodies, joint.places, strict=True)]
            if all(legs):
                found.append(tuple(legs))
    return found


def _spatial_leg(body, joint):
    """Return the Leg of a body at a joint (3), None if it has no long shape."""
    for solid in body.shapes:
        axis, length, radius = _long_side(solid)
        if length >= _LONG * radius:
            along = length * solid.axes[:, axis]
            ends = [solid.centre - 0.5 * along, solid.centre + 0.5 * along]
            ends.sort(key=lambda end: np.linalg.norm(end - joint))
            if body.slender:
                ends = [np.array([end @ body.line, 0.0, 0.0]) for end in ends]
            return Leg(body.name, *ends, radius)
    return None


def _long_side(solid):
    """Return the axis along which a Solid is long, its length and its radius across [m]."""
    if solid.kind == 'box':
        axis = int(np.argmax(solid.size))
        return axis, solid.size[axis], 0.25 * (sum(solid.size) - solid.size[axis])
    if solid.kind == 'sphere':
        return 2, 0.0, solid.size[0]
    return 2, solid.size[1], solid.size[0]
