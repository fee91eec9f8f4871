"""Which body is touched, by rules of the authors of the 3-RRR robot, as a peer of our isolation.

Written anew, from what they publish (repository AranMoha/SafePR, MIT): a link is touched where the
line of action of the force passes a coupling point of the platform nearer than 50 mm; it is the
first link where the force is parallel to the second arm to 35 degrees; a drive that sees less than
2.5 N m does not sense the contact.  How these go together is our reading: the leg with the nearest
coupling point is touched, and the platform if all are farther; its first link if its drive senses
the contact, which alone holds a force there.  They find clamping by neural networks, which are no
rules: here it is no class.
"""

from typing import NamedTuple

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray

NEAREST = 0.05              # of the line of action and a coupling point [m]
PARALLEL = np.radians(35.0)
SENSED = 2.5                # by a drive [N m]
LEGS = '123'


class Line(NamedTuple):
    """The line of action of a force (2) [N] with a moment about a point (2) of the plane [N m]."""

    point: FloatArray
    force: FloatArray
    moment: float

    def distance(self, point: FloatArray) -> float:
        """Return how far a point (2) is from it [m]."""
        (x, y), (fx, fy) = point - self.point, self.force
        return float(abs(x * fy - y * fx - self.moment) / max(np.hypot(fx, fy), 1e-12))

    def angle(self, direction: FloatArray) -> float:
        """Return the angle to a direction (2), either way along it [rad]."""
        cosine = abs(self.force @ direction) / max(
            np.linalg.norm(self.force) * np.linalg.norm(direction), 1e-12)
        return float(np.arccos(min(cosine, 1.0)))


def touched_by_rules(mechanism: Mechanism, q: FloatArray, force: FloatArray) -> str:
    """Return the name of the touched body of a 3-RRR robot at q (n), by a force on E (3)."""
    line = Line(_point(mechanism, q, 'E'), force[:2], force[2])
    torques = np.linalg.solve(mechanism.R(q)[mechanism.indices(mechanism.drives)].T, force)
    distances = {leg: line.distance(_point(mechanism, q, f'B{leg}')) for leg in LEGS}
    leg = min(distances, key=distances.__getitem__)
    if distances[leg] >= NEAREST:
        return 'platform'
    arm = _point(mechanism, q, f'B{leg}') - _point(mechanism, q, f'P{leg}')
    is_sensed = abs(torques[LEGS.index(leg)]) >= SENSED
    return f'inner{leg}' if is_sensed and line.angle(arm) < PARALLEL else f'outer{leg}'


def _point(mechanism: Mechanism, q: FloatArray, name: str) -> FloatArray:
    """Return where a point is (2) [m]."""
    return q[mechanism.indices([f'{name}.x', f'{name}.y'])]
