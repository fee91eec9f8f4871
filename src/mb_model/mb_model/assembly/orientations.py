"""Orientations of bodies as degrees of freedom: where they are in z."""

from typing import Any

import numpy as np

from mb_model.arrays import IntArray
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
