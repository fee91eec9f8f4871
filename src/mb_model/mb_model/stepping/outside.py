"""Forces that act on a mechanism from outside: on its coordinates, and loads on its bodies."""

from math import hypot

import numpy as np

from mb_model.assembly.body_motion import body_frame, point_jacobian
from mb_model.assembly.requirements import finite_vector
from mb_model.forces.kinds.load import Load, values_of
from mb_model.mechanism_file.description import MechanismError
from mb_model.record import MAX_LOADS
from mb_model.registry.forces import ForceElement
from mb_model.registry.spatial import SpatialElementNumber
from mb_model.space.forces.wrench import Wrench, values_of as wrench_values


def write_forces(mechanism, work, forces):
    """Write forces into a workspace.

    forces: None, forces on the degrees of freedom (g), or a mapping from names of any coordinates
    to numbers [N or N m].  Raises MechanismError.
    """
    record, g = work[0], mechanism.g
    on_z, on_q = np.zeros(g), np.zeros(mechanism.n)
    if isinstance(forces, dict):
        for name, value in forces.items():
            if name not in mechanism.coordinates:
                raise MechanismError(f'{mechanism.name}: forces: {name}: unknown coordinate, '
                                     f'expected one of {", ".join(mechanism.coordinates)}')
            if name in mechanism.independent:
                on_z[mechanism.independent.index(name)] = value
            else:
                on_q[mechanism.coordinates.index(name)] = value
        forces = on_z
    record['forces'][:g] = (on_z if forces is None
                            else finite_vector(mechanism.name, 'forces', forces, g))
    record['coordinate_forces'][:mechanism.n] = finite_vector(mechanism.name, 'forces', on_q,
                                                              mechanism.n)


def write_loads(mechanism, work, loads):
    """Write Loads into a workspace, in place of the present ones; raises MechanismError."""
    if len(loads) > MAX_LOADS:
        raise MechanismError(f'{mechanism.name}: {len(loads)} loads, at most {MAX_LOADS} are '
                             'possible')
    kind = Wrench if mechanism.dimension == 3 else Load
    record = work[0]
    for k, load in enumerate(loads):
        if not isinstance(load, kind):
            raise MechanismError(f'{mechanism.name}: loads[{k}]: {type(load).__name__} must be a '
                                 f'{kind.__name__}')
        offset = offset_on(mechanism, known_body(mechanism, load.body), load.at)
        if kind is Wrench:
            number, size, index, values = (
                SpatialElementNumber.WRENCH, 9, body_frame(mechanism, load.body),
                wrench_values(load, offset))
        else:
            number, size, index, values = (
                ForceElement.LOAD, 5, mechanism.body_indices(load.body), values_of(load, offset))
        *numbers, turning = values
        record['load_kind'][k] = number
        record['load_index'][k, :len(index)] = index
        record['load_value'][k, :size + 1] = *finite_vector(
            mechanism.name, f'loads[{k}]', numbers, size), turning
    record['loads'] = len(loads)


def contact_jacobian(mechanism, q, body, at):
    """Return J (3, n): velocity of a point of a body and its angular velocity are J qd.

    So J^T [force_x, force_y, moment] is the generalized force on q of a load there.  In space J
    is (6, n), of velocity (3) and angular velocity (3) in global axes, and J^T [force, moment].
    """
    if mechanism.dimension == 3:
        return point_jacobian(mechanism, q, known_body(mechanism, body),
                              offset_on(mechanism, body, at))
    x, y = offset_on(mechanism, known_body(mechanism, body), at)
    i, j = mechanism.body_indices(body)
    positions = np.zeros(int(mechanism.model['n_total'][0]))
    positions[:mechanism.n] = q
    positions[mechanism.n:] = mechanism.model['fixed'][0, mechanism.n:len(positions)]
    dx, dy = positions[j:j + 2] - positions[i:i + 2]
    length = hypot(dx, dy)
    a, b = x / length, y / length
    jacobian = np.zeros((3, len(positions)))
    jacobian[0, [i, i + 1, j, j + 1]] = 1.0 - a, b, a, -b
    jacobian[1, [i, i + 1, j, j + 1]] = -b, 1.0 - a, b, a
    jacobian[2, [i, i + 1, j, j + 1]] = np.array([dy, -dx, -dy, dx]) / length ** 2
    return jacobian[:, :mechanism.n]


def known_body(mechanism, body):
    """Return body, the name of one; raises MechanismError."""
    if body not in mechanism.bodies:
        raise MechanismError(f'{mechanism.name}: {body!r}: unknown body, expected one of '
                             f'{", ".join(mechanism.bodies)}')
    return body


def offset_on(mechanism, body, at):
    """Return an offset in a body's frame (2 or 3) [m]: given so, or by the name of a point."""
    if isinstance(at, str):
        points = mechanism.bodies[body].points
        if at not in points:
            raise MechanismError(f'{mechanism.name}: {at!r}: unknown point of {body}, expected one '
                                 f'of {", ".join(points)}')
        return points[at]
    return tuple(finite_vector(mechanism.name, 'at', at, mechanism.dimension))
