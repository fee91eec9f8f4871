"""Efforts of drives, on which friction by load depends: see forces.kinds.load_friction.

The effort of a drive is the known force on its coordinate.  It is written behind the coordinates
and the fixed points, to an entry of q for each such friction, which moves with no coordinate.
"""

from mb_model.forces.kinds.load_friction import effort_for, passed_on
from mb_model.jit import kernel
from mb_model.registry.forces import number_of

_BY_LOAD = int(number_of('load_friction'))


@kernel
def _freedom(model, coordinate):
    """Return the number of the degree of freedom that a coordinate is, -1 if it is none."""
    for k in range(model.g):
        if model.independent[k] == coordinate:
            return k
    return -1


@kernel
def write_efforts(model, work):
    """Write the efforts under work.forces and coordinate_forces."""
    for k in range(model.forces):
        if model.force_kind[k] == _BY_LOAD:
            coordinate = model.force_index[k, 0]
            freedom, effort = _freedom(model, coordinate), work.coordinate_forces[coordinate]
            if freedom >= 0:
                effort += work.forces[freedom]
            work.q[model.force_index[k, 1]] = effort


@kernel
def pass_through_drives(model, work):
    """After inverse dynamics: let work.forces pass through the friction of the drives.

    Before, they are what is needed behind it, of drives whose effort is of coordinate_forces.
    """
    for k in range(model.forces):
        if model.force_kind[k] == _BY_LOAD:
            coordinate, entry = model.force_index[k, 0], model.force_index[k, 1]
            values, rate = model.force_value[k], work.qd[coordinate]
            freedom = _freedom(model, coordinate)
            needed = passed_on(values, work.q[entry], rate)[0] + work.forces[freedom]
            work.q[entry] = effort_for(values, needed, rate)
            work.forces[freedom] = work.q[entry] - work.coordinate_forces[coordinate]


@kernel
def passed_share(model, work, freedom):
    """Return what of a change of the force on a degree of freedom its drive passes on."""
    share = 1.0
    for k in range(model.forces):
        if (model.force_kind[k] == _BY_LOAD
                and model.force_index[k, 0] == model.independent[freedom]):
            coordinate = model.force_index[k, 0]
            share *= passed_on(model.force_value[k], work.q[model.force_index[k, 1]],
                               work.qd[coordinate])[1]
    return share
