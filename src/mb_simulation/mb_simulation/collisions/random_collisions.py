"""Collisions at random: which bodies, along which motion, with what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.space_api import kind_of
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.meeting import extent, line_of
from mb_simulation.collisions.planar_posture import PlanarShapes, opening
from mb_simulation.collisions.script import CollisionScript
from mb_simulation.collisions.spatial_posture import SpatialShapes
from mb_simulation.control import (
    Limits,
    PolynomialTrajectory,
    TrajectorySettings,
    chain,
    line,
    plan,
)
from mb_simulation.control.polynomial_trajectory import rest
from mb_simulation.prototypes.obstacle import Obstacle
from mb_simulation.prototypes.prototype import Prototype

KINDS = ('platform', 'first_link', 'second_link', 'clamping')
REACH, TURN = 0.1, 0.25                # of starts and ends about the start in the file [m], [rad]
DISTANCE = (0.1, 0.16)                      # from start to end [m]
ACCELERATION = 12.0                    # [m/s^2]
TURNING = (3.0, 60.0)                  # largest speed [rad/s] and acceleration [rad/s^2]
SLOWEST_APPROACH = 0.08                # of a surface that is touched [m/s]
WIDEST_CLAMP = 1.3                     # angle between links that hold by friction [rad]
AFTER = 0.2                            # simulated after the collision [s]
_TRIALS = 2000
_TIMES = (0.5, 2.0)                    # in space, of collisions, after the wait [s]


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
    def bodies(self) -> tuple[str, ...]:
        """The body that is touched, or the two that clamp."""
        return self.script.appearances[0].collision.bodies

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What the prototype must know."""
        return self.script.obstacles

    def begin_anew(self) -> None:
        """Forget that the obstacle has appeared: the next run begins."""
        self.script.begin_anew()

    def act(self, prototype: Prototype, t: float) -> None:
        """Put the obstacle into the way when it is time; see CollisionScript."""
        self.script.act(prototype, t)


def random_collisions(mechanism: Mechanism, count: int, seed: int, kinds: Sequence[str] = KINDS,
                      speed: tuple[float, float] = (0.2, 0.6), wait: float = 0.3,
                      acceleration: float = ACCELERATION,
                      workspace: tuple[float, float] = (REACH, TURN)) -> Iterator[CollisionRun]:
    """Yield `count` CollisionRuns, each a function of seed and number, kinds taking turns.

    mechanism: a robot whose first two degrees of freedom are the position and whose third one is
    the angle of its platform, as three_rrr, or one in space; speed: least and largest of the
    platform, in space of all lengths [m/s]; wait: at rest before it starts [s], in space at least;
    acceleration: largest of the same [m/s^2]; workspace: radius [m] and angle [rad] about the
    start in the file in which motions in the plane start and end.
    Raises ValueError where there is none of a kind.
    """
    draw = (SpatialDrawing(mechanism, speed, wait, acceleration) if mechanism.dimension == 3
            else PlanarDrawing(mechanism, speed, wait, acceleration, workspace))
    for number in range(count):
        kind = kinds[number % len(kinds)]
        if not draw.choices[kind]:
            raise ValueError(f'{mechanism.name}: has no bodies for a collision of kind {kind}')
        yield _drawn(mechanism, draw, kind, np.random.default_rng((seed, number)))


def _drawn(mechanism: Mechanism, draw: Any, kind: str, rng: np.random.Generator) -> CollisionRun:
    """Return a CollisionRun: draws until everything fits."""
    choices = draw.choices[kind]
    for trial in range(_TRIALS):
        if trial % draw.trials_of_a_motion == 0:
            trajectory, times = draw.motion(rng)
        collision = _collision(kind, choices[rng.integers(len(choices))], rng.uniform(*times), rng,
                               draw.shapes_of_obstacles)
        try:
            posture = draw.shapes.posture(trajectory, collision.time)
            if not (posture.meeting(collision).approach > SLOWEST_APPROACH
                    and draw.holds(posture, collision)):
                continue
            script = CollisionScript(mechanism, trajectory, [collision])
        except (ValueError, MechanismError):
            continue
        return CollisionRun(kind, draw.started(trajectory), trajectory, script, collision.time,
                            collision.time + AFTER)
    raise ValueError(f'{mechanism.name}: found no collision of kind {kind}')


def _collision(kind: str, bodies: Sequence[str], time: float, rng: np.random.Generator,
               shapes: Sequence[str]) -> Collision:
    """Return a Collision of a kind with bodies at a time [s]; shapes: of obstacles, () for discs.
    """
    given = {'radius': rng.uniform(0.025, 0.05), 'stiffness': rng.uniform(20e3, 75e3)}
    if kind == 'clamping':
        return Collision(bodies, time, friction=rng.uniform(0.8, 1.0), mass=rng.uniform(0.3, 1.0),
                         **given)
    given |= {'along': rng.uniform(0.15, 0.9), 'direction': rng.uniform(-0.8, 0.8)}
    if shapes:
        given['shape'] = shapes[rng.integers(len(shapes))]
    given['friction'] = rng.uniform(0.1, 0.5)
    if shapes:
        given['size'] = tuple(rng.uniform(0.05, 0.1, 3).tolist())
    return Collision(bodies, time, **given)


class PlanarDrawing:
    """Draws motions of a robot in the plane; choices: kind -> bodies, or pairs, that it may hit."""

    trials_of_a_motion = 1
    shapes_of_obstacles = ()

    def __init__(self, mechanism: Mechanism, speed: tuple[float, float], wait: float,
                 acceleration: float, workspace: tuple[float, float]) -> None:
        """Take a mechanism, and limits as random_collisions."""
        self._reach, self._turn = workspace
        self._mechanism, self.shapes = mechanism, PlanarShapes(mechanism)
        self._speed, self._wait, self._acceleration = speed, wait, acceleration
        held = {name for name, point in mechanism.points.items() if point.fixed}
        links = {name: set(mechanism.bodies[name].points)
                 for name, shape in mechanism.shapes.items() if not shape.is_disc}
        first = [(name,) for name, points in links.items() if points & held]
        self.choices = {
            'platform': [(name,) for name in mechanism.shapes if name not in links],
            'first_link': first,
            'second_link': [(name,) for name in links if (name,) not in first],
            'clamping': [pair for pair in combinations(links, 2)
                         if links[pair[0]] & links[pair[1]] - held]}

    def motion(self, rng: np.random.Generator) -> tuple[PolynomialTrajectory, FloatArray]:
        """Return a trajectory, a rest, then straight on, and the times (2) of its steady part."""
        z0 = self._mechanism.z0
        while True:
            start, end = (z0 + np.append(self._reach * _in_disc(rng),
                                         self._turn * rng.uniform(-1, 1)) for _ in range(2))
            limits = Limits(rng.uniform(*self._speed), self._acceleration, *TURNING,
                            (False, False, True))
            motion = line(start, end, limits)
            if (DISTANCE[0] < np.linalg.norm(end[:2] - start[:2]) < DISTANCE[1]
                    and len(motion.breaks) == 4):
                trajectory = chain([rest(start, self._wait), motion])
                return trajectory, trajectory.breaks[2:4]

    @staticmethod
    def holds(posture: Any, collision: Collision) -> bool:
        """Return whether a collision, if it clamps, will hold."""
        return len(collision.bodies) == 1 or opening(posture, collision.bodies) < WIDEST_CLAMP

    def started(self, trajectory: PolynomialTrajectory) -> Mechanism:
        """Return the mechanism where a trajectory starts."""
        return self._mechanism.replace(start=dict(zip(
            self._mechanism.independent, trajectory.at(0.0).z.tolist(), strict=True)))


class SpatialDrawing:
    """Draws motions of a mechanism in space; choices: kind -> bodies, or pairs, that it may hit."""

    trials_of_a_motion = 40
    shapes_of_obstacles = ('sphere', 'cylinder', 'box')

    def __init__(self, mechanism: Mechanism, speed: tuple[float, float], wait: float,
                 acceleration: float) -> None:
        """Take a mechanism, and limits as random_collisions.

        Links have a shape that is longer than wide, first ones a joint to the ground.
        """
        self._mechanism, self.shapes = mechanism, SpatialShapes(mechanism)
        self._speed, self._wait, self._acceleration = speed, wait, acceleration
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

    def motion(self, rng: np.random.Generator) -> tuple[Any, tuple[float, float]]:
        """Return a Trajectory about the start, and the times (2) between which something is met."""
        trajectory = plan(self._mechanism, TrajectorySettings(
            kind='random', seed=int(rng.integers(2 ** 31)), random_duration=self._wait + _TIMES[1],
            speed=rng.uniform(*self._speed), acceleration=self._acceleration))
        return trajectory, (self._wait + _TIMES[0], self._wait + _TIMES[1])

    @staticmethod
    def holds(posture: Any, collision: Collision) -> bool:
        """Return True: a ball is put where links hold it best."""
        return True

    def started(self, trajectory: Any) -> Mechanism:
        """Return the mechanism: trajectories are about its start."""
        return self._mechanism


def _is_long(solid: Any) -> bool:
    length, width = extent(solid, line_of(solid))
    return length > width


def _in_disc(rng: np.random.Generator) -> FloatArray:
    """Return a point (2) of even density in a disc of radius 1."""
    angle = rng.uniform(0.0, 2.0 * np.pi)
    return np.sqrt(rng.uniform()) * np.array([np.cos(angle), np.sin(angle)])
