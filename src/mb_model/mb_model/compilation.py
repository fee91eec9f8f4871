"""From a validated description to the record that kernels work on."""

import numpy as np

from mb_model import record as dense
from mb_model.description import MechanismError
from mb_model.equations import equations_of
from mb_model.reading import coordinate_names
from mb_model.record import PENALTY
from mb_model.sparse import record as sparse
from mb_model.sparse.structure import write_structure


def compile_model(description, storage=None):
    """Return (model, equations): an array of one element, and what its constraints mean.

    storage: 'dense' for a MODEL, 'sparse' for a SPARSE_MODEL, None for a MODEL if it has room.
    Raises MechanismError if degrees of freedom do not add up or the mechanism is too large.
    """
    names = coordinate_names(description.points, description.coordinates)
    index = _point_index(description, len(names))
    equations = equations_of(description, index, names)
    storage = _checked_storage(description, names, equations, storage)
    model = np.zeros(1, sparse.SPARSE_MODEL if storage == 'sparse' else dense.MODEL)
    record = model[0]
    n, g = len(names), len(description.independent)
    record['n'], record['n_total'] = n, n + 2 * sum(p.fixed for p in description.points.values())
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
    _write_equations(record, equations, PENALTY * heaviest)
    _write_bodies(record, description.bodies.values(), index)
    _write_forces(record, description.forces.values(), names)
    for point in description.points.values():
        if point.fixed:
            record['fixed'][index[point.name]:index[point.name] + 2] = point.position
    if storage == 'sparse':
        elements = [record['body_index'][k] for k in range(len(description.bodies))]
        elements += [record['force_index'][k:k + 1] for k in range(len(description.forces))]
        write_structure(record, equations, elements, set(index.values()), description.file)
    return model, equations


def _point_index(description, n):
    """Return point name -> index of its x: moving points from 0, fixed ones from n."""
    moving = [name for name, point in description.points.items() if not point.fixed]
    fixed = [name for name, point in description.points.items() if point.fixed]
    return ({name: 2 * k for k, name in enumerate(moving)}
            | {name: n + 2 * k for k, name in enumerate(fixed)})


def _checked_storage(description, names, equations, storage):
    """Return 'dense' or 'sparse'; raise MechanismError if the counts do not fit or not add up."""
    file, n, rows = description.file, len(names), sum(equation.rows for equation in equations)
    g = len(description.independent)
    counts = {'coordinates': n + 2 * sum(p.fixed for p in description.points.values()),
              'bodies': len(description.bodies), 'forces': len(description.forces),
              'degrees of freedom': g}
    if storage is None:
        storage = 'dense' if _too_many(counts, dense) is None else 'sparse'
    excess = _too_many(counts, {'dense': dense, 'sparse': sparse}[storage])
    if excess is not None:
        raise MechanismError(f'{file}: {excess} are possible')
    counted = f'{n} coordinates - {rows} constraints'
    if n <= rows:
        raise MechanismError(f'{file}: the mechanism cannot move ({counted} leave no degree of '
                             'freedom)')
    if g != n - rows:
        raise MechanismError(f'{file}: independent: {list(description.independent)} must be '
                             f'{n - rows} name{"s" * (n - rows > 1)} ({counted})')
    return storage


def _too_many(counts, room):
    """Return which count is too large for the records of a module, None if all fit."""
    most = {'coordinates': room.MAX_COORDINATES, 'bodies': room.MAX_BODIES,
            'forces': room.MAX_FORCES, 'degrees of freedom': room.MAX_INDEPENDENT}
    return next((f'{count} {what}, at most {most[what]}' for what, count in counts.items()
                 if count > most[what]), None)


def _write_equations(record, equations, penalty):
    record['constraints'] = len(equations)
    row = 0
    for k, equation in enumerate(equations):
        record['constraint_kind'][k] = equation.kind
        record['constraint_row'][k] = row
        record['constraint_index'][k, :len(equation.index)] = equation.index
        record['constraint_value'][k, :len(equation.value)] = equation.value
        record['stiffness'][row:row + equation.rows] = penalty / equation.slope ** 2
        row += equation.rows


def _write_bodies(record, bodies, index):
    record['bodies'] = len(bodies)
    for k, body in enumerate(bodies):
        first, second = list(body.points)[:2]
        record['body_index'][k] = index[first], index[second]
        record['body_length'][k] = body.length
        record['body_mass'][k] = body.mass
        record['body_centre'][k] = body.centre_of_gravity
        record['body_inertia'][k] = body.inertia


def _write_forces(record, forces, names):
    record['forces'] = len(forces)
    for k, force in enumerate(forces):
        record['force_index'][k] = names.index(force.coordinate)
        record['force_value'][k] = (force.constant, force.stiffness, force.rest, force.viscous,
                                    force.coulomb, force.static, force.transition_velocity)
