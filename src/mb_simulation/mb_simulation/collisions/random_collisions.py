"""Collisions at random: which bodies, along which motion, with what.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.space_api import kind_of
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.posture import Shapes, opening, place_of
from mb_simulation.collisions.script import CollisionScript
from mb_simulation.collisions.space.meeting import extent, line_of
from mb_simulation.collisions.space.posture import SpatialShapes
from mb_simulation.control import (
    Limits,
    PolynomialTrajectory,
    TrajectorySettings,
    chain,
    line,
    plan,
)
from mb_simulation.control.polynomial_trajectory import rest

KINDS = ('platform', 'first_link', 'second_link', 'clamping')
REACH, TURN = 0.1, 0.25                # of starts and ends about the start in the file [m], [rad]
WAY = (0.1, 0.16)                      # from start to end [m]
ACCELERATION = 12.0                    # [m/s^2]
TURNING = (3.0, 60.0)                  # largest speed [rad/s] and acceleration [rad/s^2]
SLOWEST_APPROACH = 0.08                # of a surface that is touched [m/s]
WIDEST_CLAMP = 1.3                     # angle between links that hold by friction [rad]
AFTER = 0.2                            # simulated after the collision [s]
_TRIALS = 2000
_OF_ONE_MOTION = 40                    # trials in space
_TIMES = (0.5, 2.0)                    # in space, of collisions, after the wait [s]
_SHAPES = ('sphere', 'cylinder', 'box')


@dataclass(frozen=True)
class CollisionRun:
    """A motion that ends in a collision.

    kind: one of KINDS; mechanism: the one of the file, with another start; time: when surfaces
    touch in the planned motion; duration: of the whole [s].
    """

    kind: str
    mechanism: Mechanism
    trajectory: PolynomialTrajectory
    script: CollisionScript
    time: float
    duration: float

    @property
    def bodies(self):
        """The body that is touched, or the two that clamp."""
        return self.script.appearances[0].collision.bodies

    @property
    def obstacles(self):
        """What the prototype must know."""
        return self.script.obstacles

    def begin_anew(self):
        """Forget that the obstacle has appeared: the next run begins."""
        self.script.begin_anew()

    def act(self, prototype, t):
        """Put the obstacle into the way when it is time; see CollisionScript."""
        self.script.act(prototype, t)


def random_collisions(mechanism, count, seed, kinds=KINDS, speed=(0.2, 0.6), wait=0.3,
                      acceleration=ACCELERATION):
    """Yield `count` CollisionRuns, each a function of seed and number, kinds taking turns.

    mechanism: a robot whose first two degrees of freedom are places and whose third one is an angle
    of its platform, as three_rrr, or one in space; speed: least and largest of the platform, in
    space of all lengths [m/s]; wait: at rest before it starts [s], in space at least; acceleration:
    largest of the same [m/s^2].
    Raises ValueError where there is none of a kind.
    """
    in_space = SpatialDrawing(mechanism) if mechanism.dimension == 3 else None
    choices = in_space.choices if in_space else _bodies_of_kinds(mechanism)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        if not choices[kind]:
            raise ValueError(f'{mechanism.name}: has no bodies for a collision of kind {kind}')
        rng, drawn = np.random.default_rng((seed, number)), (speed, wait, acceleration)
        yield (_drawn_in_space(mechanism, in_space, kind, rng, *drawn) if in_space else
               _drawn(mechanism, kind, choices[kind], rng, *drawn))


def _bodies_of_kinds(mechanism):
    """Return kind -> the bodies, or pairs of them, that it may hit."""
    held = {name for name, point in mechanism.points.items() if point.fixed}
    links = {name: set(mechanism.bodies[name].points) for name, shape in mechanism.shapes.items()
             if not shape.is_disc}
    first = [(name,) for name, points in links.items() if points & held]
    return {'platform': [(name,) for name in mechanism.shapes if name not in links],
            'first_link': first,
            'second_link': [(name,) for name in links if (name,) not in first],
            'clamping': [pair for pair in combinations(links, 2)
                         if links[pair[0]] & links[pair[1]] - held]}


def _drawn(mechanism, kind, choices, rng, speed, wait, acceleration):
    """Return a CollisionRun: draws until everything fits."""
    shapes = Shapes(mechanism)
    for _ in range(_TRIALS):
        trajectory = _motion(mechanism, rng, speed, wait, acceleration)
        begin, end = trajectory.breaks[2:4]          # of the steady part
        collision = _collision(kind, choices[rng.integers(len(choices))],
                               rng.uniform(begin, end), rng)
        try:
            if not _fits(shapes.posture(trajectory, collision.time), collision):
                continue
            script = CollisionScript(mechanism, trajectory, [collision])
        except (ValueError, MechanismError):
            continue
        start = dict(zip(mechanism.independent, trajectory.at(0.0).z.tolist(), strict=True))
        return CollisionRun(kind, mechanism.replace(start=start), trajectory, script,
                            collision.time, collision.time + AFTER)
    raise ValueError(f'{mechanism.name}: found no collision of kind {kind}')


def _drawn_in_space(mechanism, drawing, kind, rng, *limits):
    """Return a CollisionRun of a mechanism in space: draws until everything fits."""
    choices = drawing.choices[kind]
    for trial in range(_TRIALS):
        if trial % _OF_ONE_MOTION == 0:
            trajectory, times = drawing.motion(rng, *limits)
        collision = drawing.collision(kind, choices[rng.integers(len(choices))],
                                      rng.uniform(*times), rng)
        try:
            if not drawing.is_fast(trajectory, collision, SLOWEST_APPROACH):
                continue
            script = CollisionScript(mechanism, trajectory, [collision])
        except (ValueError, MechanismError):
            continue
        return CollisionRun(kind, mechanism, trajectory, script, collision.time,
                            collision.time + AFTER)
    raise ValueError(f'{mechanism.name}: found no collision of kind {kind}')


def _motion(mechanism, rng, speed, wait, acceleration):
    """Return a PolynomialTrajectory: a rest, then straight on with a steady part."""
    while True:
        start, end = (mechanism.z0 + np.append(REACH * _in_disc(rng), TURN * rng.uniform(-1, 1))
                      for _ in range(2))
        limits = Limits(rng.uniform(*speed), acceleration, *TURNING, (False, False, True))
        motion = line(start, end, limits)
        if WAY[0] < np.linalg.norm(end[:2] - start[:2]) < WAY[1] and len(motion.breaks) == 4:
            return chain([rest(start, wait), motion])


def _collision(kind, bodies, time, rng):
    """Return a Collision of a kind with bodies at a time [s]."""
    surface = {'radius': rng.uniform(0.025, 0.05), 'stiffness': rng.uniform(20e3, 75e3)}
    if kind == 'clamping':
        return Collision(bodies, time, friction=rng.uniform(0.8, 1.0), mass=rng.uniform(0.3, 1.0),
                         **surface)
    return Collision(bodies, time, along=rng.uniform(0.15, 0.9), direction=rng.uniform(-0.8, 0.8),
                     friction=rng.uniform(0.1, 0.5), **surface)


def _fits(posture, collision):
    """Return whether a collision is fast enough and, if it clamps, will hold."""
    _, approach = place_of(posture, collision)
    holds = len(collision.bodies) == 1 or opening(posture, collision.bodies) < WIDEST_CLAMP
    return approach > SLOWEST_APPROACH and holds


def _in_disc(rng):
    """Return a place (2) of even density in a disc of radius 1."""
    angle = rng.uniform(0.0, 2.0 * np.pi)
    return np.sqrt(rng.uniform()) * np.array([np.cos(angle), np.sin(angle)])


class SpatialDrawing:
    """Draws motions and collisions of a mechanism in space."""

    def __init__(self, mechanism):
        """Note which bodies each kind may hit.

        Links have a shape that is longer than wide, first ones a joint to the ground.
        """
        self._mechanism, self.shapes = mechanism, SpatialShapes(mechanism)
        joints = mechanism.joints.values()
        links = [name for name in self.shapes.bodies if _is_long(mechanism.bodies[name].shapes[0])]
        held = {name for joint in joints if not set(joint.bodies) <= set(mechanism.bodies)
                for name in joint.bodies}
        self.choices = {
            'platform': [(name,) for name in self.shapes.bodies if name not in links],
            'first_link': [(name,) for name in links if name in held],
            'second_link': [(name,) for name in links if name not in held],
            'clamping': [joint.bodies for joint in joints
                         if kind_of(joint).folds and set(joint.bodies) <= set(links)]}

    def motion(self, rng, speed, wait, acceleration):
        """Return a Trajectory about the start, and the times (2) between which something is met."""
        trajectory = plan(self._mechanism, TrajectorySettings(
            kind='random', seed=int(rng.integers(2 ** 31)), random_duration=wait + _TIMES[1],
            speed=rng.uniform(*speed), acceleration=acceleration))
        return trajectory, (wait + _TIMES[0], wait + _TIMES[1])

    def collision(self, kind, bodies, time, rng):
        """Return a Collision of a kind with bodies at a time [s]."""
        surface = {'radius': rng.uniform(0.025, 0.05), 'stiffness': rng.uniform(20e3, 75e3)}
        if kind == 'clamping':
            return Collision(bodies, time, friction=rng.uniform(0.8, 1.0),
                             mass=rng.uniform(0.3, 1.0), **surface)
        return Collision(
            bodies, time, along=rng.uniform(0.15, 0.9), direction=rng.uniform(-0.8, 0.8),
            shape=_SHAPES[rng.integers(len(_SHAPES))], friction=rng.uniform(0.1, 0.5),
            size=tuple(rng.uniform(0.05, 0.1, 3).tolist()), **surface)

    def is_fast(self, trajectory, collision, slowest):
        """Return whether surfaces approach each other fast enough [m/s]; raises ValueError."""
        posture = self.shapes.posture(trajectory, collision.time)
        return posture.meeting(collision).approach > slowest


def _is_long(solid):
    length, width = extent(solid, line_of(solid))
    return length > width
