"""From a validated description to the record that kernels work on."""

import numpy as np

from mb_model.description import MechanismError
from mb_model.equations import equations_of
from mb_model.reading import coordinate_names
from mb_model.record import (
    MAX_BODIES,
    MAX_COORDINATES,
    MAX_FORCES,
    MAX_INDEPENDENT,
    MODEL,
)

PENALTY = 1e6       # of a violated constraint against the mass, h^2/4 alpha phi_q^2 / mass


def compile_model(description):
    """Return (model, equations): a MODEL array of one element, and what its constraints mean.

    Raises MechanismError if degrees of freedom do not add up or the mechanism is too large.
    """
    names = coordinate_names(description.points, description.coordinates)
    index = _point_index(description, len(names))
    equations = equations_of(description, index, names)
    _check_counts(description, names, equations)
    model = np.zeros(1, MODEL)
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
    return model, equations


def _point_index(description, n):
    """Return point name -> index of its x: moving points from 0, fixed ones from n."""
    moving = [name for name, point in description.points.items() if not point.fixed]
    fixed = [name for name, point in description.points.items() if point.fixed]
    return ({name: 2 * k for k, name in enumerate(moving)}
            | {name: n + 2 * k for k, name in enumerate(fixed)})


def _check_counts(description, names, equations):
    file, n, rows = description.file, len(names), sum(equation.rows for equation in equations)
    g, fixed = len(description.independent), sum(p.fixed for p in description.points.values())
    for what, count, most in (('coordinates', n + 2 * fixed, MAX_COORDINATES),
                              ('bodies', len(description.bodies), MAX_BODIES),
                              ('forces', len(description.forces), MAX_FORCES),
                              ('degrees of freedom', g, MAX_INDEPENDENT)):
        if count > most:
            raise MechanismError(f'{file}: {count} {what}, at most {most} are possible')
    counted = f'{n} coordinates - {rows} constraints'
    if n <= rows:
        raise MechanismError(f'{file}: the mechanism cannot move ({counted} leave no degree of '
                             'freedom)')
    if g != n - rows:
        raise MechanismError(f'{file}: independent: {list(description.independent)} must be '
                             f'{n - rows} name{"s" * (n - rows > 1)} ({counted})')


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
