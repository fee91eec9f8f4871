"""Where points and bodies of a mechanism in the plane are."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.assembly.dimension import require_plane


def point_places(mechanism: CompiledMechanism, q: ArrayLike) -> FloatArray:
    """Return the places (k, p, 2) [m] of the points, in the order of the file, at q (k, n).

    Raises MechanismError for a mechanism in space: there, bodies have points.
    """
    require_plane(mechanism, 'places of points')
    q = np.atleast_2d(q)
    places = np.empty((len(q), len(mechanism.points), 2))
    column = 0      # the moving points come first in q
    for k, point in enumerate(mechanism.points.values()):
        places[:, k] = point.position if point.fixed else q[:, column:column + 2]
        column += 0 if point.fixed else 2
    return places


def planar_poses(mechanism: CompiledMechanism,
                 q: ArrayLike) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return body -> (origins (k, 3) [m], rotation matrices (k, 3, 3)) at q (k, n), in z = 0."""
    places = dict(zip(mechanism.points, np.moveaxis(point_places(mechanism, q), 1, 0), strict=True))
    poses = {}
    for name, body in mechanism.described.bodies.items():
        first, second = list(body.points)[:2]
        cosine, sine = ((places[second] - places[first]) / body.length).T
        origin, turn = np.zeros((len(cosine), 3)), np.zeros((len(cosine), 3, 3))
        origin[:, :2] = places[first]
        turn[:, 0, 0], turn[:, 0, 1] = cosine, -sine
        turn[:, 1, 0], turn[:, 1, 1], turn[:, 2, 2] = sine, cosine, 1.0
        poses[name] = origin, turn
    return poses
