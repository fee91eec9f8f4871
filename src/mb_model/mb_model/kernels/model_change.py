"""How the numbers of a model change with a parameter: the derivatives of kernels.parameters."""

from math import sqrt

from mb_model.jit import by_number, kernel, separate
from mb_model.kernels.parameters import (
    Effect,
    constraint_of,
    is_shaped,
    needs_span,
    span_of,
    write_effect,
)
from mb_model.kernels.programs import run
from mb_model.record import MODEL, PARAMETER, WORK
from mb_model.registry.constraints import kernels

_resize_change = by_number(kernels('resize_change'))


@kernel
def _clear(work, parameter):
    """Write zeros to all changes."""
    for changes in (work.d_gravity, work.d_fixed, work.d_mass, work.d_inertia, work.d_length,
                    work.d_solid_mass, work.d_own_inertia):
        changes[:] = 0.0
    for changes in (work.d_centre, work.d_constraint_value, work.d_force_value,
                    work.d_solid_centre, work.d_solid_inertia, work.d_solid_gyration,
                    work.d_element_value):
        changes[:] = 0.0
    work.moving_points = work.moving_terms = 0
    for k in range(parameter.effects):
        kind = parameter.kind[k]
        if kind == Effect.TERM:
            work.moving_points = work.moving_terms = 1
        elif (kind == Effect.FIXED_POINT or kind == Effect.BODY_LENGTH
              or kind == Effect.CONSTRAINT):
            work.moving_points = 1
    if work.moving_terms:
        work.d_term_weight[:] = 0.0


@kernel
def _offset_change(model, work, body, point):
    """Return the derivative of kernels.parameters.place_of."""
    if body < 0:
        return work.d_fixed[point], work.d_fixed[point + 1]
    if point == model.body_index[body, 0]:
        return 0.0, 0.0
    if point == model.body_index[body, 1]:
        return work.d_length[body], 0.0
    k = constraint_of(model, body, point)
    return work.d_constraint_value[k, 2], work.d_constraint_value[k, 3]


@kernel
def _span_change(model, work, k):
    """Return the derivative of the distance of the first two points of a constraint."""
    body, index = model.constraint_body[k], model.constraint_index[k]
    dx, dy = span_of(model, k)
    (cx, cy), (ex, ey) = (_offset_change(model, work, body, index[0]),
                          _offset_change(model, work, body, index[1]))
    return (dx * (ex - cx) + dy * (ey - cy)) / sqrt(dx * dx + dy * dy)


@kernel
def _derive(model, work):
    """Write the derivatives of what follows from other numbers, see kernels.parameters.derive."""
    for k in range(model.bodies):
        if model.body_rod[k]:
            mass, length = model.body_mass[k], model.body_length[k]
            work.d_centre[k, 0] = 0.5 * work.d_length[k]
            work.d_inertia[k] = (work.d_mass[k] * length + 2.0 * mass * work.d_length[k]
                                 ) * length / 12.0
    for k in range(model.constraints):
        kind, body, value = (
            model.constraint_kind[k], model.constraint_body[k], model.constraint_value[k])
        length, stretch, span_change = 0.0, 0.0, 0.0
        if body >= 0:
            length, stretch = model.body_length[body], work.d_length[body]
        if needs_span(kind, value):
            span_change = _span_change(model, work, k)
        _resize_change(kind, value, work.d_constraint_value[k], length, stretch, span_change)
    for k in range(model.solids):
        if is_shaped(model, k):
            for slot in range(6):
                work.d_solid_inertia[k, slot] = (
                    work.d_solid_mass[k] * model.solid_gyration[k, slot]
                    + model.solid_mass[k] * work.d_solid_gyration[k, slot])


@separate(MODEL, WORK, PARAMETER)
def model_change(model, work, parameter):
    """Write the derivatives of the model's numbers in a parameter: work.d_gravity and the like."""
    _clear(work, parameter)
    for k in range(parameter.effects):
        run(parameter.operations[k], parameter.numbers[k], parameter.value, parameter.stack)
        write_effect(parameter.kind[k], parameter.index[k, 0], parameter.index[k, 1],
                     parameter.stack[0, 1], work.d_gravity, work.d_fixed, work.d_mass,
                     work.d_centre, work.d_inertia, work.d_length, work.d_constraint_value,
                     work.d_force_value, work.d_solid_mass, work.d_solid_centre,
                     work.d_solid_inertia, work.d_element_value, work.d_solid_gyration,
                     work.d_term_weight, work.d_own_inertia)
    _derive(model, work)
