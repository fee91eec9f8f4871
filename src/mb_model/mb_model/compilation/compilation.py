"""From a validated description to the record that kernels work on."""

import numpy as np

from mb_model import record as dense
from mb_model.compilation.equations import equations_of
from mb_model.compilation.force_records import write_forces
from mb_model.kernels.constraints import PRESCRIBED
from mb_model.kernels.force_elements import points_of
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.motion import motion_program
from mb_model.mechanism_file.reading import coordinate_names
from mb_model.record import PENALTY
from mb_model.separate import compile_postponed
from mb_model.sparse import record as sparse
from mb_model.sparse.structure import write_structure


def all_equations(description):
    """Return the equations of all constraints, the redundant ones among them."""
    names = coordinate_names(description.points, description.coordinates)
    return equations_of(description, _point_index(description, len(names)), names)


def compile_model(description, storage=None, left_out=frozenset()):
    """Return (model, equations): an array of one element, and what its constraints mean.

    storage: 'dense' for a MODEL, 'sparse' for a SPARSE_MODEL, None for a MODEL if it has room.
    left_out: places of redundant equations in all_equations.  Raises MechanismError if the
    mechanism is too large.
    """
    names = coordinate_names(description.points, description.coordinates)
    index = _point_index(description, len(names))
    equations = tuple(equation for k, equation in enumerate(all_equations(description))
                      if k not in left_out)
    storage = _checked_storage(description, names, equations, storage)
    if storage == 'sparse':
        compile_postponed()
    model = np.zeros(1, sparse.SPARSE_MODEL if storage == 'sparse' else dense.MODEL)
    record = model[0]
    n, g = len(names), len(description.independent)
    record['driven'] = len(description.prescribed)
    record['n'] = n
    record['n_total'] = (n + 2 * sum(p.fixed for p in description.points.values())
                         + record['driven'])
    record['m'], record['g'] = sum(equation.rows for equation in equations), g
    independent = [names.index(name) for name in description.independent]
    record['independent'][:g] = independent
    record['dependent'][:n - g] = [k for k in range(n) if k not in independent]
    record['gravity'] = description.gravity
    size = max(body.length for body in description.bodies.values())
    record['scale'] = size
    record['scale'][n - len(description.coordinates):n] = [
        1.0 if coordinate.unit == 'rad' else size
        for coordinate in description.coordinates.values()]
    heaviest = max(body.mass for body in description.bodies.values())
    _write_equations(record, equations, PENALTY * heaviest, list(description.bodies))
    _write_motions(record, description)
    _write_bodies(record, description.bodies.values(), index)
    write_forces(record, description, names, index)
    for point in description.points.values():
        if point.fixed:
            record['fixed'][index[point.name]:index[point.name] + 2] = point.position
    if storage == 'sparse':
        elements = [record['body_index'][k] for k in range(len(description.bodies))]
        elements += [record['force_index'][k, :max(points_of(record['force_kind'][k]), 1)]
                     for k in range(len(description.forces))]
        write_structure(record, equations, elements, set(index.values()), description.file)
    return model, equations


def _point_index(description, n):
    """Return point name -> index of its x: moving points from 0, fixed ones from n."""
    moving = [name for name, point in description.points.items() if not point.fixed]
    fixed = [name for name, point in description.points.items() if point.fixed]
    return ({name: 2 * k for k, name in enumerate(moving)}
            | {name: n + 2 * k for k, name in enumerate(fixed)})


def _checked_storage(description, names, equations, storage):
    """Return 'dense' or 'sparse'; raise MechanismError if the mechanism is too large for it."""
    counts = {'coordinates': (len(names) + len(description.prescribed)
                              + 2 * sum(p.fixed for p in description.points.values())),
              'constraints': sum(equation.rows for equation in equations),
              'prescribed coordinates': len(description.prescribed),
              'bodies': len(description.bodies), 'forces': len(description.forces),
              'degrees of freedom': len(description.independent)}
    if storage is None:
        storage = 'dense' if _too_many(counts, dense) is None else 'sparse'
    excess = _too_many(counts, {'dense': dense, 'sparse': sparse}[storage])
    if excess is not None:
        raise MechanismError(f'{description.file}: {excess} are possible')
    return storage


def _too_many(counts, room):
    """Return which count is too large for the records of a module, None if all fit."""
    most = {'coordinates': room.MAX_COORDINATES, 'constraints': room.MAX_COORDINATES,
            'prescribed coordinates': dense.MAX_DRIVEN,
            'bodies': room.MAX_BODIES, 'forces': room.MAX_FORCES,
            'degrees of freedom': room.MAX_INDEPENDENT}
    return next((f'{count} {what}, at most {most[what]}' for what, count in counts.items()
                 if count > most[what]), None)


def _write_equations(record, equations, penalty, bodies):
    record['constraints'] = len(equations)
    row = 0
    for k, equation in enumerate(equations):
        record['constraint_kind'][k] = equation.kind
        record['constraint_row'][k] = row
        record['constraint_index'][k, :len(equation.index)] = equation.index
        record['constraint_value'][k, :len(equation.value)] = equation.value
        owner = next(iter(equation.bodies), None)
        record['constraint_body'][k] = -1 if owner is None else bodies.index(owner)
        record['stiffness'][row:row + equation.rows] = penalty / equation.slope ** 2
        row += equation.rows


def _write_motions(record, description):
    """Write the prescribed coordinates and which equations they follow."""
    n_total, driven = int(record['n_total']), int(record['driven'])
    kinds, indices = record['constraint_kind'], record['constraint_index']
    for k, constraint in enumerate(description.prescribed.values()):
        equation = np.flatnonzero((kinds == PRESCRIBED) & (indices[:, 1] == n_total - driven + k))
        program = motion_program(constraint.motion, description.parameters)
        record['driven_coordinate'][k] = indices[equation[0], 0]
        record['driven_row'][k] = record['constraint_row'][equation[0]]
        record['driven_operations'][k] = program['operations']
        record['driven_numbers'][k] = program['numbers']


def _write_bodies(record, bodies, index):
    record['bodies'] = len(bodies)
    for k, body in enumerate(bodies):
        first, second = list(body.points)[:2]
        record['body_index'][k] = index[first], index[second]
        record['body_length'][k] = body.length
        record['body_mass'][k] = body.mass
        record['body_centre'][k] = body.centre_of_gravity
        record['body_inertia'][k] = body.inertia
        record['body_rod'][k] = body.rod
