"""Forces and loads of a description as elements for kernels.force_elements."""

from mb_model.kernels.force_elements import (
    BETWEEN_BODIES,
    BETWEEN_POINTS,
    LOAD,
    ON_COORDINATE,
    TURNING_LOAD,
)
from mb_model.mechanism_file.description import Load

# key of a file -> its place in an element's values; see kernels.coordinate_force and kernels.load
FORCE_SLOTS = {'force': 0, 'stiffness': 1, 'rest': 2, 'damping': 3, 'viscous': 3, 'coulomb': 4,
               'static': 5, 'transition_velocity': 6}
LOAD_SLOTS = {'at.x': 0, 'at.y': 1, 'force.x': 2, 'force.y': 3, 'moment': 4}


def write_forces(record, description, names, index):
    """Write the forces of a model; names: of coordinates, index: point -> place of its x."""
    record['forces'] = len(description.forces)
    for k, force in enumerate(description.forces.values()):
        kind, places, values = (_load(description, force, index) if isinstance(force, Load)
                                else _force(description, force, names, index))
        record['force_kind'][k] = kind
        record['force_index'][k, :len(places)] = places
        record['force_value'][k, :len(values)] = values


def _force(description, force, names, index):
    values = (force.constant, force.stiffness, force.rest, force.viscous, force.coulomb,
              force.static, force.transition_velocity)
    if force.coordinate:
        return ON_COORDINATE, (names.index(force.coordinate),), values
    if force.points:
        return BETWEEN_POINTS, [index[point] for point in force.points], values
    return BETWEEN_BODIES, [place for body in force.bodies
                            for place in line_of(description, body, index)], values


def _load(description, load, index):
    return (load_kind(load), line_of(description, load.body, index),
            (*place_of(description, load), *load.force, load.moment))


def place_of(description, load):
    """Return where a Load acts, in its body's frame (2) [m]."""
    return description.bodies[load.body].points[load.at] if isinstance(load.at, str) else load.at


def load_kind(load):
    """Return the kind of element of a Load."""
    return TURNING_LOAD if load.turning else LOAD


def line_of(description, body, index):
    """Return the indices of x of a body's first two points."""
    first, second = list(description.bodies[body].points)[:2]
    return index[first], index[second]
