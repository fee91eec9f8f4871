"""Collisions along a planned motion: which obstacle comes into the way when, and where."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.planar_posture import PlanarShapes
from mb_simulation.collisions.spatial_posture import SpatialShapes
from mb_simulation.control.motion import Trajectory
from mb_simulation.prototypes.prototype import Prototype

_SPACING = 5e-3          # between instants at which an obstacle might appear [s]
_EARLIEST = 0.5          # how long before its collision it appears at most [s]
_FREE = 2e-3             # between it and all bodies when it appears [m]
_TOUCH = 1e-5            # what rounding leaves of a gap where there is none [m]
_APART = 1e-3            # between it and others until it is touched, at least [m]


@dataclass(frozen=True)
class Appearance:
    """An obstacle that stands at a position (d) [m] from a time on, and for how long [s].

    axes (3, 3): how it stands there in space, None in the plane; velocity (d): with which it comes
    in [m/s], None: at rest.
    """

    collision: Collision
    name: str
    position: np.ndarray
    axes: np.ndarray | None
    velocity: np.ndarray | None
    approach: float              # of the surfaces when they touch [m/s]
    begin: float
    lasts: float


class CollisionScript:
    """Collisions of a mechanism that follows a trajectory.

    appearances: one Appearance of each collision; obstacles: theirs, for the prototype; standing:
    which of the appearances are in the way.
    """

    def __init__(self, mechanism: Mechanism, trajectory: Trajectory,
                 collisions: Sequence[Collision]) -> None:
        """Find where the obstacles stand.

        trajectory: Trajectory that the mechanism follows; collisions: Collisions.
        Raises ValueError naming a collision that cannot be, MechanismError.
        """
        self.appearances = []
        shapes = (SpatialShapes if mechanism.dimension == 3 else PlanarShapes)(mechanism)
        for number, collision in enumerate(collisions):
            try:
                self.appearances.append(_appearance(
                    shapes, trajectory, collision, f'{number + 1}'))
            except ValueError as error:
                raise ValueError(f'collisions[{number}].{error}') from None
        self.obstacles = tuple(one.collision.obstacle(one.name) for one in self.appearances)
        self._leaves = {}         # when obstacles that have appeared leave, by name [s]
        self.standing = ()

    def begin_anew(self) -> None:
        """Forget which obstacles have appeared: the next run begins."""
        self._leaves.clear()
        self.standing = ()

    def act(self, prototype: Prototype, t: float, clock: float | None = None) -> None:
        """Put obstacles of a Prototype into the way, and out of it.

        t: time of the trajectory [s], at which they appear; clock: time of the run [s], by which
        they leave again, default the same.
        """
        clock = t if clock is None else clock
        for one in self.appearances:
            if one.name not in self._leaves:
                if t >= one.begin:
                    self._leaves[one.name] = clock + one.lasts
                    self.standing = (*self.standing, one)
                    prototype.put(one.name, one.position, one.axes, one.velocity)
            elif clock >= self._leaves[one.name]:
                self._leaves[one.name] = np.inf
                self.standing = tuple(other for other in self.standing if other is not one)
                prototype.put(one.name, None)


def _appearance(shapes: PlanarShapes | SpatialShapes, trajectory: Trajectory, collision: Collision,
                name: str) -> Appearance:
    """Return the Appearance of one Collision."""
    posture = shapes.posture(trajectory, collision.time)
    position, axes, approach, velocity = posture.meeting(collision)
    needed = np.array([-_TOUCH if body in collision.bodies else _APART for body in shapes.bodies])
    begin, gaps = collision.time, posture.gaps(collision, position, axes)
    while (gaps > needed).all() and begin > collision.time - _EARLIEST:
        begin -= _SPACING
        if begin < 0.0:
            break
        if velocity is not None:
            position = position - _SPACING * velocity
        posture = shapes.posture(trajectory, begin, posture.q)
        gaps = posture.gaps(collision, position, axes)
        if gaps.min() > _FREE:
            lasts = collision.time - begin + collision.stays if collision.stays else np.inf
            return Appearance(collision, name, position, axes, velocity, approach, begin, lasts)
    raise ValueError(f'time: at {collision.time:g} s, the obstacle has no way in: bodies are where '
                     'it would be before')
