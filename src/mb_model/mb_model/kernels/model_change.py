"""How the numbers of a model change with a parameter: the derivatives of kernels.parameters."""

from numba import njit

from mb_model.kernels.constraints import CONSTANT_DISTANCE, RIGID_POINT, TWO_LINES
from mb_model.kernels.parameters import (
    WELDED_ANGLE,
    constraint_of,
    place_of,
    write_effect,
)
from mb_model.kernels.programs import run
from mb_model.record import MODEL, PARAMETER, WORK
from mb_model.separate import separate


@njit(cache=True)
def _clear(model, work):
    work.d_gravity[0] = work.d_gravity[1] = 0.0
    for k in range(model.bodies):
        work.d_mass[k] = work.d_inertia[k] = work.d_length[k] = 0.0
        work.d_centre[k, 0] = work.d_centre[k, 1] = 0.0
    for k in range(model.constraints):
        for slot in range(work.d_constraint_value.shape[1]):
            work.d_constraint_value[k, slot] = 0.0
    for k in range(model.forces):
        for slot in range(work.d_force_value.shape[1]):
            work.d_force_value[k, slot] = 0.0
    for k in range(model.n, model.n_total):
        work.d_fixed[k] = 0.0


@njit(cache=True)
def _place_change(model, work, body, point):
    """Return the derivative of kernels.parameters.place_of."""
    if body < 0:
        return work.d_fixed[point], work.d_fixed[point + 1]
    if point == model.body_index[body, 0]:
        return 0.0, 0.0
    if point == model.body_index[body, 1]:
        return work.d_length[body], 0.0
    k = constraint_of(model, body, point)
    return work.d_constraint_value[k, 2], work.d_constraint_value[k, 3]


@njit(cache=True)
def _derive(model, work):
    """Write the derivatives of what follows from other numbers, see kernels.parameters.derive."""
    for k in range(model.bodies):
        if model.body_rod[k]:
            mass, length = model.body_mass[k], model.body_length[k]
            work.d_centre[k, 0] = 0.5 * work.d_length[k]
            work.d_inertia[k] = (work.d_mass[k] * length + 2.0 * mass * work.d_length[k]
                                 ) * length / 12.0
    for k in range(model.constraints):
        kind, body, change = (
            model.constraint_kind[k], model.constraint_body[k], work.d_constraint_value[k])
        if kind == CONSTANT_DISTANCE and body >= 0:
            change[0] = work.d_length[body]
        elif kind == RIGID_POINT and body >= 0:
            value, length, stretch = (
                model.constraint_value[k], model.body_length[body], work.d_length[body])
            change[0] = (change[2] - value[0] * stretch) / length
            change[1] = (change[3] - value[1] * stretch) / length
        elif kind == TWO_LINES and model.constraint_value[k, 2] != 0.0:
            i, j = model.constraint_index[k, 0], model.constraint_index[k, 1]
            (ax, ay), (bx, by) = place_of(model, body, i), place_of(model, body, j)
            (cx, cy), (dx, dy) = _place_change(model, work, body, i), _place_change(
                model, work, body, j)
            change[2] = ((bx - ax) * (dx - cx) + (by - ay) * (dy - cy)) / model.constraint_value[
                k, 2]


@separate(MODEL, WORK, PARAMETER)
def model_change(model, work, parameter):
    """Write the derivatives of the model's numbers in a parameter: work.d_gravity and the like."""
    _clear(model, work)
    for k in range(parameter.effects):
        run(parameter.operations[k], parameter.numbers[k], parameter.value, parameter.stack)
        rate = parameter.stack[0, 1]
        kind, first, second = parameter.kind[k], parameter.index[k, 0], parameter.index[k, 1]
        if kind == WELDED_ANGLE:
            work.d_constraint_value[first, 0] = rate * model.constraint_value[first, 1]
            work.d_constraint_value[first, 1] = -rate * model.constraint_value[first, 0]
        else:
            write_effect(kind, first, second, rate, work.d_gravity, work.d_fixed, work.d_mass,
                         work.d_centre, work.d_inertia, work.d_length, work.d_constraint_value,
                         work.d_force_value)
    _derive(model, work)
