"""Orientations of bodies as degrees of freedom: where they are in z, and how motions differ."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.body_motion import body_motion
from mb_model.mechanism_file.description import MechanismError
from mb_model.space.rotation import rotation_vector


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


def motion_difference(mechanism: Any, motion: tuple[ArrayLike, ArrayLike],
                      other: tuple[ArrayLike, ArrayLike]) -> FloatArray:
    """Return how z and zd of a motion differ from another's (2g): errors as covariances mean them.

    motion, other: (q, qd) of solved positions.  Of an orientation, the rotation vector from the
    other to it, in the body's frame, and the difference of the angular velocities, each in its
    own body's frame; of all other degrees of freedom plain differences.
    """
    g = mechanism.g
    z = mechanism.model['independent'][0, :g]
    (q, qd), (other_q, other_qd) = (tuple(np.asarray(one) for one in two)
                                    for two in (motion, other))
    difference = np.concatenate([q[z] - other_q[z], qd[z] - other_qd[z]])
    for body, places in independent_orientations(mechanism).items():
        here, there = body_motion(mechanism, body, q, qd), body_motion(
            mechanism, body, other_q, other_qd)
        difference[places] = rotation_vector(there.rotation.T @ here.rotation)
        difference[g + places] = (here.rotation.T @ here.angular_velocity
                                  - there.rotation.T @ there.angular_velocity)
    return difference
