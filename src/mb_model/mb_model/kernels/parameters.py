"""Parameters of a model: numbers of its file that may change in its record.

A parameter (see mb_model.compilation.parameters) has effects on numbers of the model, each a
program in its value.  What follows from those numbers, such as the inertia of a uniform rod,
follows again.
"""

from enum import IntEnum
from math import sqrt

from numba import float64

from mb_model.jit import by_number, kernel, separate
from mb_model.kernels.programs import EXPRESSIONS, run
from mb_model.record import MODEL, PARAMETER
from mb_model.registry.constraints import ConstraintKind, kernels


class Effect(IntEnum):
    """Which number of a model a parameter changes."""

    GRAVITY = 0               # index: axis
    FIXED_POINT = 1           # index: coordinate
    BODY_MASS = 2             # index: body
    BODY_CENTRE = 3           # index: body, axis
    BODY_INERTIA = 4          # index: body
    BODY_LENGTH = 5           # index: body
    CONSTRAINT = 6            # index: constraint, which of its values
    FORCE = 7                 # index: force, which of its values
    SOLID_MASS = 8            # index: body in space
    SOLID_CENTRE = 9          # index: body in space, axis
    SOLID_INERTIA = 10        # index: body in space, which of xx yy zz xy xz yz
    ELEMENT = 11              # index: force in space, which of its values
    SOLID_GYRATION = 12       # index: body in space, which, as of its inertia
    TERM = 13                 # index: term of a vector in space
    OWN_INERTIA = 14          # index: coordinate


needs_span, _resize = (by_number(kernels(name)) for name in ('needs_span', 'resize'))
_RIGID_POINT = ConstraintKind.RIGID_POINT
EXPRESSIONS.met()


@kernel
def constraint_of(model, body, point):
    """Return the constraint that keeps a further point on a body."""
    for k in range(model.constraints):
        if (model.constraint_kind[k] == _RIGID_POINT and model.constraint_body[k] == body
                and model.constraint_index[k, 2] == point):
            return k
    return 0


@kernel
def offset_of(model, body, point):
    """Return where a point (index of its x) is: in a body's frame, or fixed if body is -1."""
    if body < 0:
        return model.fixed[point], model.fixed[point + 1]
    if point == model.body_index[body, 0]:
        return 0.0, 0.0
    if point == model.body_index[body, 1]:
        return model.body_length[body], 0.0
    k = constraint_of(model, body, point)
    return model.constraint_value[k, 2], model.constraint_value[k, 3]


@kernel
def span_of(model, k):
    """Return the vector between the first two points of a constraint, both on its body."""
    body, index = model.constraint_body[k], model.constraint_index[k]
    (ax, ay), (bx, by) = offset_of(model, body, index[0]), offset_of(model, body, index[1])
    return bx - ax, by - ay


@kernel
def is_shaped(model, k):
    """Return whether the inertia of body k in space follows from its mass and its shapes."""
    gyration = model.solid_gyration[k]
    return gyration[0] > 0.0 or gyration[1] > 0.0 or gyration[2] > 0.0


@kernel
def derive(model):
    """Write the numbers of the model that follow from others."""
    for k in range(model.bodies):
        if model.body_rod[k]:
            mass, length = model.body_mass[k], model.body_length[k]
            model.body_centre[k, 0] = 0.5 * length
            model.body_inertia[k] = mass * length * length / 12.0
    for k in range(model.constraints):
        kind, body, value = (
            model.constraint_kind[k], model.constraint_body[k], model.constraint_value[k])
        span = 0.0
        if needs_span(kind, value):
            dx, dy = span_of(model, k)
            span = sqrt(dx * dx + dy * dy)
        _resize(kind, value, model.body_length[body] if body >= 0 else 0.0, span)
    for k in range(model.solids):
        if is_shaped(model, k):
            for slot in range(6):
                model.solid_inertia[k, slot] = model.solid_mass[k] * model.solid_gyration[k, slot]


@kernel
def write_effect(kind, first, second, number, gravity, fixed, mass, centre, inertia, length,
                 constraint_value, force_value, solid_mass, solid_centre, solid_inertia,
                 element_value, solid_gyration, term_weight, own_inertia):
    """Write the number that an effect is about, in arrays of a model or of their changes."""
    if kind == Effect.GRAVITY:
        gravity[first] = number
    elif kind == Effect.FIXED_POINT:
        fixed[first] = number
    elif kind == Effect.BODY_MASS:
        mass[first] = number
    elif kind == Effect.BODY_CENTRE:
        centre[first, second] = number
    elif kind == Effect.BODY_INERTIA:
        inertia[first] = number
    elif kind == Effect.BODY_LENGTH:
        length[first] = number
    elif kind == Effect.CONSTRAINT:
        constraint_value[first, second] = number
    elif kind == Effect.FORCE:
        force_value[first, second] = number
    elif kind == Effect.SOLID_MASS:
        solid_mass[first] = number
    elif kind == Effect.SOLID_CENTRE:
        solid_centre[first, second] = number
    elif kind == Effect.SOLID_INERTIA:
        solid_inertia[first, second] = number
    elif kind == Effect.ELEMENT:
        element_value[first, second] = number
    elif kind == Effect.SOLID_GYRATION:
        solid_gyration[first, second] = number
    elif kind == Effect.TERM:
        term_weight[first] = number
    elif kind == Effect.OWN_INERTIA:
        own_inertia[first] = number


@separate(MODEL, PARAMETER, float64)
def set_parameter(model, parameter, value):
    """Give a parameter another value; changes the model in place.

    A workspace needs mass_matrix(model, work.M) then, and its position solved again.  A value
    outside the domain of the file's expressions makes numbers that are none.
    """
    parameter.value = value
    for k in range(parameter.effects):
        run(parameter.operations[k], parameter.numbers[k], value, parameter.stack)
        write_effect(parameter.kind[k], parameter.index[k, 0], parameter.index[k, 1],
                     parameter.stack[0, 0], model.gravity, model.fixed, model.body_mass,
                     model.body_centre, model.body_inertia, model.body_length,
                     model.constraint_value, model.force_value, model.solid_mass,
                     model.solid_centre, model.solid_inertia, model.element_value,
                     model.solid_gyration, model.term_weight, model.own_inertia)
    derive(model)
