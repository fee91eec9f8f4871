"""Where an obstacle in space must be so that it touches a shape, or two links clamp it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mb_model import BodyMotion, Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import across, kind_of, rotation
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.posture import SLOWEST, Meeting


def line_of(solid: Any) -> int:
    """Return the axis of a Solid along which it is longest, or which it is round about."""
    return int(np.argmax(solid.size)) if solid.kind == 'box' else 2


def extent(solid: Any, line: int) -> tuple[float, float]:
    """Return how long a Solid is along its line, and how wide across it [m]."""
    if solid.kind == 'box':
        return solid.size[line], max(np.delete(solid.size, line))
    return (0.0 if solid.kind == 'sphere' else solid.size[1]), 2.0 * solid.size[0]


def nearest(solid: Any, position: FloatArray) -> FloatArray:
    """Return the point (3) of a Solid nearest to a position; both in the frame of its body."""
    at = solid.axes.T @ (position - solid.centre)
    if solid.kind == 'box':
        half = 0.5 * np.array(solid.size)
        at = np.clip(at, -half, half)
    elif solid.kind == 'sphere':
        at = at * min(1.0, solid.size[0] / max(np.linalg.norm(at), 1e-12))
    else:
        radius, length = solid.size[:2]
        at[:2] *= min(1.0, radius / max(np.hypot(*at[:2]), 1e-12))
        at[2] = np.clip(at[2], -0.5 * length, 0.5 * length)
    return solid.centre + solid.axes @ at


_UP = np.array([0.0, 0.0, 1.0])


def meeting(motion: BodyMotion, solid: Any, collision: Collision) -> Meeting:
    """Return the Meeting of a Collision with one body.

    motion: BodyMotion of the body of a Solid.  From a point on the line of the shape, a ray goes
    where that point moves to, across the line of what is long, turned by `direction`; where it
    leaves the shape they touch.  Approach 0: nothing moves there.
    """
    axes, line = motion.rotation @ solid.axes, line_of(solid)
    along = axes[:, line]
    length, width = extent(solid, line)
    start = (collision.along - 0.5) * length * np.eye(3)[line]
    heading = _velocity(motion, solid, start)
    is_long = length > width
    if is_long:
        heading = heading - (heading @ along) * along
    speed = np.linalg.norm(heading)
    if speed < SLOWEST:
        return Meeting(motion.position_of(solid.centre), np.eye(3), 0.0)
    about = along if is_long else _UP
    heading = rotation(collision.direction * about) @ (heading / speed)
    at, outward = _leaving(solid, start, axes.T @ heading)
    normal = axes @ outward
    position = motion.position_of(solid.centre + solid.axes @ at)
    return Meeting(*_standing(collision, position, normal, along),
                   float(normal @ _velocity(motion, solid, at)))


def _velocity(motion: BodyMotion, solid: Any, at: FloatArray) -> FloatArray:
    """Return the velocity (3) of a point, by its offset in the axes of a Solid."""
    return motion.velocity_of(solid.centre + solid.axes @ at)


def _leaving(solid: Any, start: FloatArray, heading: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return where a ray (3) from a point within leaves a Solid, and the normal there outwards.

    All in the axes of the Solid.
    """
    if solid.kind == 'sphere':
        return solid.size[0] * heading, heading
    faces = range(3) if solid.kind == 'box' else (2,)
    half = 0.5 * np.array(solid.size if solid.kind == 'box' else 3 * (solid.size[1],))
    exits = [((half[k] - np.sign(heading[k]) * start[k]) / abs(heading[k]),
              np.sign(heading[k]) * np.eye(3)[k]) for k in faces if heading[k] != 0.0]
    if solid.kind != 'box' and np.hypot(*heading[:2]) > 0.0:
        side = np.array([heading[0], heading[1], 0.0]) / np.hypot(*heading[:2])
        exits.append((solid.size[0] / np.hypot(*heading[:2]), side))
    distance, outward = min(exits, key=lambda one: one[0])
    return start + distance * heading, outward


def _standing(collision: Collision, position: FloatArray, normal: FloatArray,
              along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return position (3) and axes (3, 3) of an obstacle that touches at a point, normal to it."""
    across_both = np.cross(normal, along)
    size = np.linalg.norm(across_both)
    first = across_both / size if size > 1e-6 else across(normal)
    second = np.cross(normal, first)
    if collision.shape == 'plane':
        return position, np.column_stack([first, -second, -normal])
    if collision.shape == 'box':
        return (position + 0.5 * collision.size[2] * normal,
                np.column_stack([first, second, normal]))
    # A cylinder lies along its z, crosswise to the body; of a sphere that makes no difference.
    return (position + collision.radius * normal, np.column_stack([second, normal, first]))


_IN_LINE = 1e-3         # sine of the angle of links that clamp nothing
_MARGIN = 1e-3          # of the ends of links, where they do not clamp [m]
_ROUNDS, _EXACT = 50, 1e-10         # of Newton's method, and when it has converged [m]


class _Link:
    """A body with a long shape; direction: from a joint along it."""

    def __init__(self, body: Any, motion: BodyMotion, joint: FloatArray) -> None:
        """Take a Body, BodyMotion and the joint's offset (3); raises ValueError for a short one."""
        self.body, self.motion, self.solid = body.name, motion, body.shapes[0]
        line = line_of(self.solid)
        length, self.width = extent(self.solid, line)
        if length <= self.width:
            raise ValueError(f'bodies: {body.name}: its shape is {length:g} m long and '
                             f'{self.width:g} m wide; only what is longer than wide clamps')
        along = self.solid.axes[:, line]
        self.direction = motion.rotation @ along * np.copysign(
            1.0, along @ (self.solid.centre - joint))

    def touched_by(self, centre: FloatArray) -> FloatArray:
        """Return the position (3) where a ball about a centre touches it first."""
        return self.motion.position_of(nearest(self.solid, self._in_frame(centre)))

    def velocity(self, position: FloatArray) -> FloatArray:
        """Return the velocity (3) of the body at a position."""
        return self.motion.velocity_of(self._in_frame(position))

    def _in_frame(self, position: FloatArray) -> FloatArray:
        return self.motion.rotation.T @ (position - self.motion.position)


def between(mechanism: Mechanism, motions: Mapping[str, BodyMotion],
            collision: Collision) -> Meeting:
    """Return the Meeting of a Collision whose ball two links clamp.

    motions: BodyMotion of each body, by name.  The ball touches both, where their surfaces face
    each other most, so that it is held best, and moves as these do on average.  The approach is
    of the first surface, as the other link sees it.  Raises ValueError for what cannot be.
    """
    from scipy.optimize import minimize_scalar  # here: it takes long to import
    bodies, radius = collision.bodies, collision.radius
    if collision.mass == 0.0:
        raise ValueError('mass: 0 must be > 0: what stands firm cannot be clamped')
    joint, links = _joined(mechanism, motions, bodies)
    about = np.cross(links[0].direction, links[1].direction)
    if np.linalg.norm(about) < _IN_LINE:
        raise ValueError(f'bodies: at {collision.time:g} s, {", ".join(bodies)} are in line, they '
                         'clamp nothing')
    about /= np.linalg.norm(about)
    widest = radius + max(one.width for one in links)

    def facing(beside: float) -> float:
        """Return the cosine of the angle between the normals of a ball beside the joint's plane."""
        centre = _touching(links, joint + beside * about, radius)
        if centre is None:
            return 1.0
        first, second = (centre - one.touched_by(centre) for one in links)
        return first @ second / radius ** 2

    beside = minimize_scalar(facing, bounds=(-widest, widest), method='bounded').x
    centre = _touching(links, joint + beside * about, radius)
    positions = None if centre is None else [one.touched_by(centre) for one in links]
    for number, one in enumerate(links):
        middle = (one.motion.position_of(one.solid.centre) - joint) @ one.direction
        if positions is None or abs(
                (positions[number] - joint) @ one.direction - middle) > middle - _MARGIN:
            raise ValueError(f'bodies: at {collision.time:g} s, {one.body} does not reach an '
                             f'obstacle of {radius:g} m that both touch')
    normal = (centre - positions[0]) / radius
    approach = normal @ (links[0].velocity(positions[0]) - links[1].velocity(positions[0]))
    drift = 0.5 * sum(one.velocity(at) for one, at in zip(links, positions, strict=True))
    return Meeting(centre, np.eye(3), float(approach), drift)


def _touching(links: Sequence[_Link], start: FloatArray, radius: float) -> FloatArray | None:
    """Return the centre (3) of a ball that touches both links, None where there is none.

    By Newton's method in the plane of the links at `start`, from far out between them.
    """
    directions = np.array([one.direction for one in links])
    centre = start + directions.sum(axis=0) / np.linalg.norm(directions.sum(axis=0)) * 4.0 * radius
    for _ in range(_ROUNDS):
        apart = [centre - one.touched_by(centre) for one in links]
        gaps = np.array([np.linalg.norm(vector) for vector in apart])
        if gaps.min() < _EXACT:         # within a link
            return None
        if np.abs(gaps - radius).max() < _EXACT:
            return centre
        slopes = np.array([
            directions @ vector / gap for vector, gap in zip(apart, gaps, strict=True)])
        if abs(np.linalg.det(slopes)) < _IN_LINE:
            return None
        centre = centre + directions.T @ np.linalg.solve(slopes, radius - gaps)
    return None


def _joined(mechanism: Mechanism, motions: Mapping[str, BodyMotion],
            bodies: Sequence[str]) -> tuple[FloatArray, list[_Link]]:
    """Return where the joint of two links is (3), and the links."""
    for joint in mechanism.joints.values():
        if not kind_of(joint).folds or set(joint.bodies) != set(bodies):
            continue
        positions = dict(zip(joint.bodies, joint.offsets, strict=True))
        at = motions[bodies[0]].position_of(positions[bodies[0]])
        return at, [_Link(mechanism.bodies[body], motions[body], positions[body])
                    for body in bodies]
    raise ValueError(f'bodies: {", ".join(bodies)}: no links at a common joint that folds, they '
                     'clamp nothing')
