"""Where an obstacle in space must be so that it touches a shape where that moves to."""

from typing import NamedTuple

import numpy as np

from mb_model.space_api import across, rotation
from mb_simulation.collisions.space.surface import extent, line_of

SLOWEST = 1e-3      # approach that is one [m/s]
_UP = np.array([0.0, 0.0, 1.0])


class Meeting(NamedTuple):
    """Where an obstacle meets what it touches: place (d) [m], axes (3, 3), None in the plane.

    approach: of the surfaces [m/s]; velocity (d): of the obstacle then [m/s], None: it stands.
    """

    place: np.ndarray
    axes: np.ndarray | None
    approach: float
    velocity: np.ndarray | None = None


def meeting(motion, solid, collision):
    """Return the Meeting of a Collision with one body.

    motion: BodyMotion of the body of a Solid.  From a place on the line of the shape, the way goes
    where that place moves to, across the line of what is long, turned by `direction`; where it
    leaves the shape they touch.  Approach 0: nothing moves there.
    """
    axes, line = motion.rotation @ solid.axes, line_of(solid)
    along = axes[:, line]
    length, width = extent(solid, line)
    start = (collision.along - 0.5) * length * np.eye(3)[line]
    way = _velocity(motion, solid, start)
    is_long = length > width
    if is_long:
        way = way - (way @ along) * along
    speed = np.linalg.norm(way)
    if speed < SLOWEST:
        return Meeting(motion.place(solid.centre), np.eye(3), 0.0)
    about = along if is_long else _UP
    way = rotation(collision.direction * about) @ (way / speed)
    at, outward = _leaving(solid, start, axes.T @ way)
    normal = axes @ outward
    place = motion.place(solid.centre + solid.axes @ at)
    return Meeting(*_standing(collision, place, normal, along),
                   float(normal @ _velocity(motion, solid, at)))


def _velocity(motion, solid, at):
    """Return the velocity (3) of a place in the axes of a Solid."""
    return motion.velocity_of(solid.centre + solid.axes @ at)


def _leaving(solid, start, way):
    """Return where a way (3) from a place within leaves a Solid, and the normal there outwards.

    All in the axes of the Solid.
    """
    if solid.kind == 'sphere':
        return solid.size[0] * way, way
    faces = range(3) if solid.kind == 'box' else (2,)
    half = 0.5 * np.array(solid.size if solid.kind == 'box' else 3 * (solid.size[1],))
    found = [((half[k] - np.sign(way[k]) * start[k]) / abs(way[k]), np.sign(way[k]) * np.eye(3)[k])
             for k in faces if way[k] != 0.0]
    if solid.kind != 'box' and np.hypot(*way[:2]) > 0.0:
        side = np.array([way[0], way[1], 0.0]) / np.hypot(*way[:2])
        found.append((solid.size[0] / np.hypot(*way[:2]), side))
    distance, outward = min(found, key=lambda one: one[0])
    return start + distance * way, outward


def _standing(collision, place, normal, along):
    """Return place (3) and axes (3, 3) of an obstacle that touches at a place, normal to it."""
    across_both = np.cross(normal, along)
    size = np.linalg.norm(across_both)
    first = across_both / size if size > 1e-6 else across(normal)
    second = np.cross(normal, first)
    if collision.shape == 'plane':
        return place, np.column_stack([first, -second, -normal])
    if collision.shape == 'box':
        return (place + 0.5 * collision.size[2] * normal, np.column_stack([first, second, normal]))
    # A cylinder lies along its z, crosswise to the body; of a sphere that makes no difference.
    return (place + collision.radius * normal, np.column_stack([second, normal, first]))
