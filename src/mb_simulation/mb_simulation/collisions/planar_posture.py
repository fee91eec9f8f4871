"""Where the shapes of a machine in the plane are, and where a disc must be to meet them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.posture import SLOWEST, Meeting, Posture


class PlanarShapes:
    """The lines within the shapes of a mechanism (b); a shape is all within a radius of one."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Note where they are in q, and in the frames of their bodies."""
        self.mechanism = mechanism
        self.bodies = tuple(mechanism.shapes)
        self.radii = np.array([shape.radius for shape in mechanism.shapes.values()])     # [m]
        self._first, self._second = np.reshape(
            [mechanism.body_indices(body) for body in self.bodies], (-1, 2)).T
        self._ends = np.reshape([shape.ends for shape in mechanism.shapes.values()], (-1, 2, 2))
        self._fixed = mechanism.model['fixed'][0, mechanism.n:int(mechanism.model['n_total'][0])]

    def posture(self, trajectory: Any, t: float, near: FloatArray | None = None) -> 'PlanarPosture':
        """Return the Posture on a Trajectory; see Posture.on."""
        return PlanarPosture.on(self, trajectory, t, near)

    def lines(self, q: FloatArray, qd: FloatArray) -> list[FloatArray]:
        """Return the ends of all lines (b, 2, 2) [m], and their rates (b, 2, 2) [m/s]."""
        frames = []
        for values in (np.append(q, self._fixed), np.append(qd, np.zeros(len(self._fixed)))):
            origins = values[np.add.outer(self._first, (0, 1))]
            x = values[np.add.outer(self._second, (0, 1))] - origins
            frames.append((origins, np.stack([x, np.stack([-x[:, 1], x[:, 0]], axis=1)], axis=1)))
        lengths = np.linalg.norm(frames[0][1][:, 0], axis=1)[:, None, None]
        return [origins[:, None] + self._ends @ (axes / lengths) for origins, axes in frames]


class PlanarPosture(Posture):
    """Shapes in one instant; lines: ends of all of them (b, 2, 2) [m], rates: theirs [m/s]."""

    def __init__(self, shapes: PlanarShapes, q: FloatArray, qd: FloatArray) -> None:
        """Find the lines at q, qd (n)."""
        super().__init__(shapes, q, qd)
        self.lines, self.rates = shapes.lines(q, qd)

    def of(self, body: str) -> tuple[FloatArray, FloatArray, float]:
        """Return ends of a body's line (2, 2) [m], their rates (2, 2) [m/s], and its radius [m]."""
        number = self.shapes.bodies.index(body)
        return self.lines[number], self.rates[number], self.shapes.radii[number]

    def meeting(self, collision: Collision) -> Meeting:
        """Return the Meeting of a Collision; raises ValueError for what cannot be."""
        if collision.shape != 'sphere':
            raise ValueError(f'shape: {collision.shape}: obstacles in the plane are round, '
                             'expected sphere')
        return super().meeting(collision)

    def gaps(self, collision: Collision, position: FloatArray,
             axes: FloatArray | None = None) -> FloatArray:
        """Return how far the obstacle of a Collision, at a position (2), is from bodies (b) [m]."""
        first, along = self.lines[:, 0], self.lines[:, 1] - self.lines[:, 0]
        to_centre = position - first
        size = (along * along).sum(axis=1)
        share = (along * to_centre).sum(axis=1) / np.where(size > 0.0, size, 1.0)
        nearest = np.minimum(np.maximum(share, 0.0), 1.0)[:, None] * along
        return np.linalg.norm(to_centre - nearest, axis=1) - self.shapes.radii - collision.radius

    def _before(self, body: str, collision: Collision) -> Meeting:
        """Return the Meeting with a body that moves into an obstacle with its side."""
        ends, rates, radius = self.of(body)
        distance = radius + collision.radius
        along, speed = ends[1] - ends[0], np.hypot(*rates[0])
        if not along.any():
            if speed < SLOWEST:
                return Meeting(ends[0], None, 0.0)
            cosine, sine = np.cos(collision.direction), np.sin(collision.direction)
            x, y = rates[0] / speed
            normal = np.array([cosine * x - sine * y, sine * x + cosine * y])
            return Meeting(ends[0] + distance * normal, None, speed * cosine)
        position = ends[0] + collision.along * along
        rate = rates[0] + collision.along * (rates[1] - rates[0])
        normal = np.array([-along[1], along[0]]) / np.hypot(*along)
        approach = rate @ normal
        return Meeting(position + np.copysign(distance, approach) * normal, None, abs(approach))

    def _between(self, collision: Collision) -> Meeting:
        """Return the Meeting with two links that close about an obstacle at their joint."""
        if collision.mass == 0.0:
            raise ValueError('mass: 0 must be > 0: what stands firm cannot be clamped')
        joint, legs, turns = _joined(self, collision.bodies)
        units = [leg / np.hypot(*leg) for leg in legs]
        cosine = units[0] @ units[1]
        sine = np.sqrt(1.0 - cosine * cosine)
        side = np.sign(_cross(*units))
        distances = [self.of(body)[2] + collision.radius for body in collision.bodies]
        shares = np.array(distances[::-1]) / sine
        for own, other, leg, body in zip(shares, shares[::-1], legs, collision.bodies, strict=True):
            if not 0.0 < own + other * cosine < np.hypot(*leg):
                raise ValueError(f'bodies: at {collision.time:g} s, {body} does not reach an '
                                 f'obstacle of {collision.radius:g} m that both touch')
        closing = side * (turns[0] - turns[1])
        return Meeting(joint + shares @ units, None, closing * (shares[0] + shares[1] * cosine))


def opening(posture: PlanarPosture, bodies: Sequence[str]) -> float:
    """Return the angle between two links at a common joint [rad]; raises ValueError."""
    _, legs, _ = _joined(posture, bodies)
    return abs(np.arctan2(_cross(*legs), legs[0] @ legs[1]))


def _joined(posture: PlanarPosture,
            bodies: Sequence[str]) -> tuple[FloatArray, tuple[FloatArray, FloatArray], list[float]]:
    """Return the joint of two links (2), the vectors from it (2, 2), and their turning rates."""
    links = [posture.of(body)[:2] for body in bodies]
    for first in (0, 1):
        for second in (0, 1):
            (ends, rates), (others, other_rates) = links
            if np.allclose(ends[first], others[second], rtol=0.0, atol=1e-6):
                legs = ends[1 - first] - ends[first], others[1 - second] - others[second]
                moves = rates[1 - first] - rates[first], (
                    other_rates[1 - second] - other_rates[second])
                return ends[first], legs, [_cross(leg, move) / (leg @ leg) for leg, move
                                           in zip(legs, moves, strict=True)]
    raise ValueError(f'bodies: {", ".join(bodies)}: no links at a common joint, they clamp nothing')


def _cross(a: FloatArray, b: FloatArray) -> float:
    return a[0] * b[1] - a[1] * b[0]
