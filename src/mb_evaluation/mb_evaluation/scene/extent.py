"""How large a mechanism is, for cameras."""

import numpy as np

from mb_evaluation.scene.solids import Solids
from mb_evaluation.scene.space import marked_places
from mb_model import point_places
from mb_model.space_api import body_poses


def extent(mechanism):
    """Return (size [m], least and greatest places (3) [m]) of a Mechanism at its start."""
    if mechanism.dimension == 3:
        poses = body_poses(mechanism, mechanism.q0)
        places = np.array([poses[body][0][0] + poses[body][1][0] @ place
                           for body, place in marked_places(mechanism)])
        least, greatest = places.min(axis=0), places.max(axis=0)
        return float(np.linalg.norm(greatest - least)) or 1.0, least, greatest
    places = np.column_stack([point_places(mechanism, mechanism.q0)[0],
                              np.zeros(len(mechanism.points))])
    return Solids(mechanism).size, places.min(axis=0), places.max(axis=0)
