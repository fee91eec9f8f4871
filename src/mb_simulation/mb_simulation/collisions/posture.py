"""Where the shapes of a mechanism are at one instant, and how they move."""

import numpy as np

from mb_simulation.collisions.placing import place_of
from mb_simulation.collisions.space.meeting import Meeting


class Shapes:
    """The lines within the shapes of a mechanism (b); a shape is all within a radius of one."""

    def __init__(self, mechanism):
        """Note where they are found in q, and in the frames of their bodies."""
        self._mechanism = mechanism
        self.bodies = tuple(mechanism.shapes)
        self.radii = np.array([shape.radius for shape in mechanism.shapes.values()])     # [m]
        self._first, self._second = np.reshape(
            [mechanism.body_indices(body) for body in self.bodies], (-1, 2)).T
        self._ends = np.reshape([shape.ends for shape in mechanism.shapes.values()], (-1, 2, 2))
        self._fixed = mechanism.model['fixed'][0, mechanism.n:int(mechanism.model['n_total'][0])]

    def posture(self, trajectory, t, near=None):
        """Return the Posture of the mechanism on a Trajectory at t [s]; raises MechanismError.

        near: q (n) near by.
        """
        motion = trajectory.at(t)
        q = self._mechanism.assemble(motion.z, near=near)
        return Posture(self, q, self._mechanism.velocity(q, motion.zd))

    def lines(self, q, qd):
        """Return the ends of all lines (b, 2, 2) [m], and their rates (b, 2, 2) [m/s]."""
        found = []
        for values in (np.append(q, self._fixed), np.append(qd, np.zeros(len(self._fixed)))):
            places = values[np.add.outer(self._first, (0, 1))]
            x = values[np.add.outer(self._second, (0, 1))] - places
            found.append((places, np.stack([x, np.stack([-x[:, 1], x[:, 0]], axis=1)], axis=1)))
        lengths = np.linalg.norm(found[0][1][:, 0], axis=1)[:, None, None]
        return [places[:, None] + self._ends @ (axes / lengths) for places, axes in found]


class Posture:
    """Shapes in one instant; lines: ends of all of them (b, 2, 2) [m], rates: theirs [m/s]."""

    def __init__(self, shapes, q, qd):
        self.shapes, self.q = shapes, q
        self.lines, self.rates = shapes.lines(q, qd)

    def of(self, body):
        """Return ends of a body's line (2, 2) [m], their rates (2, 2) [m/s], and its radius [m]."""
        number = self.shapes.bodies.index(body)
        return self.lines[number], self.rates[number], self.shapes.radii[number]

    def meeting(self, collision):
        """Return the Meeting of a Collision; raises ValueError for what cannot be."""
        if collision.shape != 'sphere':
            raise ValueError(f'shape: {collision.shape}: obstacles in the plane are round, '
                             'expected sphere')
        place, approach = place_of(self, collision)
        return Meeting(place, None, approach)

    def gaps(self, collision, centre, _=None):
        """Return how far the obstacle of a Collision, at a place (2), is from all bodies (b) [m].
        """
        first, along = self.lines[:, 0], self.lines[:, 1] - self.lines[:, 0]
        to_centre = centre - first
        size = (along * along).sum(axis=1)
        share = (along * to_centre).sum(axis=1) / np.where(size > 0.0, size, 1.0)
        nearest = np.minimum(np.maximum(share, 0.0), 1.0)[:, None] * along
        return np.linalg.norm(to_centre - nearest, axis=1) - self.shapes.radii - collision.radius
