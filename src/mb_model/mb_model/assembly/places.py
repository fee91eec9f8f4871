"""Where points of a mechanism are, and where orientations of its bodies stand among z."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.assembly.dimension import require_plane
from mb_model.mechanism_file.description import MechanismError


def orientation_places(mechanism: Any) -> IntArray:
    """Return the places in z of each orientation (charts, 3), -1 where it is none of z.

    Raises MechanismError for an orientation that is so in part: its errors would depend on others.
    """
    model = mechanism.model[0]
    z = model['independent'][:mechanism.g].tolist()
    places = np.array([[z.index(place) if place in z else -1 for place in chart]
                       for chart in model['chart_coordinate'][:model['charts']].tolist()],
                      dtype=np.int64).reshape(-1, 3)
    for chart in places:
        if (chart < 0).any() and (chart >= 0).any():
            name = mechanism.independent[chart.max()].rpartition('.')[0]
            raise MechanismError(f'{mechanism.file}: independent: {name}: all three of .x, .y, .z '
                                 'must be degrees of freedom, or none')
    return places


def independent_orientations(mechanism: Any) -> dict[str, IntArray]:
    """Return body -> places in z (3) of the orientations that are degrees of freedom."""
    if mechanism.dimension != 3 or not mechanism.model['charts'][0]:
        return {}
    named = mechanism.described.coordinates
    found: dict[str, list[int]] = {}
    for k, name in enumerate(mechanism.independent):
        if named[name].kind == 'orientation':
            found.setdefault(named[name].bodies[0], []).append(k)
    return {body: np.array(places) for body, places in found.items()}


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
