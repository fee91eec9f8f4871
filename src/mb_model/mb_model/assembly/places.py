"""Where the points of a mechanism are."""

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
