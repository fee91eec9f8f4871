"""Where a ball in space must be so that two links at a common joint close about it."""

import numpy as np

from mb_simulation.collisions.space.meeting import Meeting
from mb_simulation.collisions.space.surface import extent, line_of, nearest

FOLDING = 'revolute', 'universal', 'spherical'     # joints at which links fold
_IN_LINE = 1e-3         # sine of the angle of links that clamp nothing
_MARGIN = 1e-3          # of the ends of links, where they do not clamp [m]
_ROUNDS, _EXACT = 50, 1e-10         # of Newton's method, and when it has found a place [m]


class _Link:
    """A body with a long shape; way: from a joint along it."""

    def __init__(self, body, motion, joint):
        """Take a Body, its BodyMotion, and a place on it (3); raises ValueError for a short one."""
        self.body, self.motion, self.solid = body.name, motion, body.shapes[0]
        line = line_of(self.solid)
        length, self.width = extent(self.solid, line)
        if length <= self.width:
            raise ValueError(f'bodies: {body.name}: its shape is {length:g} m long and '
                             f'{self.width:g} m wide; only what is longer than wide clamps')
        along = self.solid.axes[:, line]
        self.way = motion.rotation @ along * np.copysign(1.0, along @ (self.solid.centre - joint))

    def touched_by(self, centre):
        """Return the place (3) that a ball about a centre touches first."""
        return self.motion.place(nearest(self.solid, self._in_frame(centre)))

    def velocity(self, place):
        """Return the velocity (3) of the body at a place."""
        return self.motion.velocity_of(self._in_frame(place))

    def _in_frame(self, place):
        return self.motion.rotation.T @ (place - self.motion.position)


def between(mechanism, motions, collision):
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
    about = np.cross(links[0].way, links[1].way)
    if np.linalg.norm(about) < _IN_LINE:
        raise ValueError(f'bodies: at {collision.time:g} s, {", ".join(bodies)} are in line, they '
                         'clamp nothing')
    about /= np.linalg.norm(about)
    widest = radius + max(one.width for one in links)

    def facing(beside):
        """Return the cosine of the angle between the normals of a ball beside the joint's plane."""
        centre = _touching(links, joint + beside * about, radius)
        if centre is None:
            return 1.0
        first, second = (centre - one.touched_by(centre) for one in links)
        return first @ second / radius ** 2

    beside = minimize_scalar(facing, bounds=(-widest, widest), method='bounded').x
    centre = _touching(links, joint + beside * about, radius)
    places = None if centre is None else [one.touched_by(centre) for one in links]
    for number, one in enumerate(links):
        middle = (one.motion.place(one.solid.centre) - joint) @ one.way
        if places is None or abs((places[number] - joint) @ one.way - middle) > middle - _MARGIN:
            raise ValueError(f'bodies: at {collision.time:g} s, {one.body} does not reach an '
                             f'obstacle of {radius:g} m that both touch')
    normal = (centre - places[0]) / radius
    approach = normal @ (links[0].velocity(places[0]) - links[1].velocity(places[0]))
    drift = 0.5 * sum(one.velocity(place) for one, place in zip(links, places, strict=True))
    return Meeting(centre, np.eye(3), float(approach), drift)


def _touching(links, start, radius):
    """Return the centre (3) of a ball that touches both links, None where there is none.

    By Newton's method in the plane of the links at `start`, from far out between them.
    """
    ways = np.array([one.way for one in links])
    centre = start + ways.sum(axis=0) / np.linalg.norm(ways.sum(axis=0)) * 4.0 * radius
    for _ in range(_ROUNDS):
        apart = [centre - one.touched_by(centre) for one in links]
        gaps = np.array([np.linalg.norm(way) for way in apart])
        if gaps.min() < _EXACT:         # within a link
            return None
        if np.abs(gaps - radius).max() < _EXACT:
            return centre
        slopes = np.array([ways @ way / gap for way, gap in zip(apart, gaps, strict=True)])
        if abs(np.linalg.det(slopes)) < _IN_LINE:
            return None
        centre = centre + ways.T @ np.linalg.solve(slopes, radius - gaps)
    return None


def _joined(mechanism, motions, bodies):
    """Return where the joint of two links is (3), and the links."""
    for joint in mechanism.joints.values():
        if joint.kind not in FOLDING or set(joint.bodies) != set(bodies):
            continue
        places = dict(zip(joint.bodies, joint.places, strict=True))
        at = motions[bodies[0]].place(places[bodies[0]])
        return at, [_Link(mechanism.bodies[body], motions[body], places[body]) for body in bodies]
    raise ValueError(f'bodies: {", ".join(bodies)}: no links at a common joint that folds, they '
                     'clamp nothing')
