"""What forces that act on no single coordinate do to pins and bodies, for reactions."""

import numpy as np

from mb_model.kernels.force_elements import (
    BETWEEN_BODIES,
    BETWEEN_POINTS,
    ON_COORDINATE,
    add_force,
    points_of,
)

_LOCAL = np.array([0, 2, 4, 6])      # x of the points of an element, each told apart


def applied_pushes(mechanism, work):
    """Yield (body, point, force (2)): on the pin in a point, or with a body on that body alone.

    Of springs between points, friction in joints and loads, those from outside too, in a workspace.
    """
    names = {mechanism.point_index(point): point for point in mechanism.points}
    owners = {mechanism.body_indices(body): body for body in mechanism.bodies}
    model = mechanism.model[0]
    elements = [[model[f'force_{key}'][k] for key in ('kind', 'index', 'value')]
                for k in range(int(model['forces']))]
    elements += [[work[f'load_{key}'][k] for key in ('kind', 'index', 'value')]
                 for k in range(int(work['loads']))]
    for kind, index, values in elements:
        if kind == ON_COORDINATE:
            continue
        places = index[:points_of(kind)]
        for slot, push in enumerate(_pushes(kind, places, values, work)):
            line = (0, 1) if slot < 2 or kind != BETWEEN_BODIES else (2, 3)
            body = None if kind == BETWEEN_POINTS else owners[tuple(int(index[k]) for k in line)]
            yield body, names[int(places[slot])], push


def _pushes(kind, places, values, work):
    """Return the forces (k, 2) of an element on the points that it addresses."""
    q, qd = (np.concatenate([work[name][k:k + 2] for k in places]) for name in ('q', 'qd'))
    forces = np.zeros(len(q))
    add_force(kind, _LOCAL, np.ascontiguousarray(values), q, qd, forces)
    return forces.reshape(-1, 2)
