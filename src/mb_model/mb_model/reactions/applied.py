"""What forces that act on no single coordinate do to pins and bodies, for reactions."""

import numpy as np

from mb_model.kernels.force_elements import LOCAL_INDEX, add_force
from mb_model.kernels.programs import run
from mb_model.record import DEPTH
from mb_model.registry.forces import element_kind


def applied_pushes(mechanism, work):
    """Yield (body, point, force (2)): on the pin in a point, or with a body on that body alone.

    Of springs between points, friction in joints and loads, those from outside too, in a workspace.
    """
    names = {mechanism.point_index(point): point for point in mechanism.points}
    owners = {mechanism.body_indices(body): body for body in mechanism.bodies}
    for kind, index, values in (*_elements(mechanism.model[0], 'force', 'forces'),
                                *_elements(work, 'load', 'loads')):
        lines = element_kind(kind).lines
        places = index[:len(lines)]
        pushes = _local_forces(kind, index, values, work).reshape(-1, 2)[:len(lines)]
        for place, line, push in zip(places, lines, pushes, strict=True):
            yield (None if line is None else owners[tuple(int(index[k]) for k in line)],
                   names[int(place)], push)


def forces_on_coordinates(mechanism, work):
    """Return the forces on single coordinates (n), those from outside too."""
    forces = work['coordinate_forces'][:mechanism.n].copy()
    forces[mechanism.model['independent'][0, :mechanism.g]] += work['forces'][:mechanism.g]
    for kind, index, values in _elements(mechanism.model[0], 'force', 'forces'):
        if not element_kind(kind).lines:
            forces[index[0]] += _local_forces(kind, index, values, work)[0]
    model, stack = mechanism.model[0], np.empty((DEPTH, 3))
    for k in range(int(model['curves'])):
        place = model['curve_coordinate'][k]
        for part, at in enumerate((work['q'][place], work['qd'][place])):
            run(model['curve_operations'][k, part], model['curve_numbers'][k, part], at, stack)
            forces[place] += stack[0, 0]
    return forces


def _elements(record, prefix, count):
    """Return (kind, index, values) of the elements in a record."""
    return [[record[f'{prefix}_{key}'][k] for key in ('kind', 'index', 'value')]
            for k in range(int(record[count]))]


def _local_forces(kind, index, values, work):
    """Return the forces of an element on the coordinates that LOCAL_INDEX says, two of each."""
    last = len(work['q']) - 1
    places = np.array([min(int(k) + axis, last) for k in index for axis in (0, 1)])
    q, qd = (work[name][places] for name in ('q', 'qd'))
    forces = np.zeros(len(q))
    add_force(kind, LOCAL_INDEX, np.ascontiguousarray(values), q, qd, forces)
    return forces
