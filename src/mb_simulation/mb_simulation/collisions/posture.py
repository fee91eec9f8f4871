"""Where the shapes of a machine are at one instant, and where an obstacle must be to meet them."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from mb_model.arrays import FloatArray
from mb_simulation.collisions.collision import Collision

SLOWEST = 1e-3          # approach that is one [m/s]


class Meeting(NamedTuple):
    """Where an obstacle meets what it touches: position (d) [m], axes (3, 3), None in the plane.

    approach: of the surfaces [m/s]; velocity (d): of the obstacle then [m/s], None: it stands.
    """

    position: FloatArray
    axes: FloatArray | None
    approach: float
    velocity: FloatArray | None = None


class Posture(ABC):
    """Shapes in one instant, at q, qd (n)."""

    def __init__(self, shapes: Any, q: FloatArray, qd: FloatArray) -> None:
        """Take the shapes of a mechanism, which have `bodies` and `mechanism`."""
        self.shapes, self.q, self.qd = shapes, q, qd

    @classmethod
    def on(cls, shapes: Any, trajectory: Any, t: float, near: FloatArray | None) -> 'Posture':
        """Return the Posture of shapes on a Trajectory at t [s]; raises MechanismError.

        near: q (n) near by.
        """
        motion, mechanism = trajectory.at(t), shapes.mechanism
        q = mechanism.assemble(motion.z, near=near)
        return cls(shapes, q, mechanism.velocity(q, motion.zd))

    def meeting(self, collision: Collision) -> Meeting:
        """Return the Meeting of a Collision; raises ValueError for what cannot be."""
        bodies, known = collision.bodies, self.shapes.bodies
        for body in bodies:
            if body not in known:
                raise ValueError(f'bodies: {body}: unknown body with a shape, expected one of '
                                 f'{", ".join(known) or "none: there are none"}')
        if len(bodies) == 1:
            met = self._before(bodies[0], collision)
        elif len(bodies) == 2 and len(set(bodies)) == 2:
            met = self._between(collision)
        else:
            raise ValueError(f'bodies: {list(bodies)} must be one, or two different ones that '
                             'clamp')
        if met.approach < SLOWEST:
            raise ValueError(f'time: at {collision.time:g} s, {", ".join(bodies)} '
                             f'approach{"es" * (len(bodies) == 1)} nothing there')
        return met

    @abstractmethod
    def gaps(self, collision: Collision, position: FloatArray,
             axes: FloatArray | None = None) -> FloatArray:
        """Return how far the obstacle of a Collision, as it stands, is from all bodies (b) [m]."""

    @abstractmethod
    def _before(self, body: str, collision: Collision) -> Meeting:
        """Return the Meeting with one body."""

    @abstractmethod
    def _between(self, collision: Collision) -> Meeting:
        """Return the Meeting with two links that clamp."""
