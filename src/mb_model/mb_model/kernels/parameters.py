"""Parameters of a model: numbers of its file that may change in its record.

A parameter (see mb_model.parameter_record) has effects on numbers of the model, each a program in
its value.  What follows from those numbers, such as the inertia of a uniform rod, follows again.
"""

from math import cos, sin, sqrt

from numba import float64, njit

from mb_model.kernels.constraints import CONSTANT_DISTANCE, RIGID_POINT, TWO_LINES
from mb_model.kernels.programs import run
from mb_model.record import MODEL, PARAMETER
from mb_model.separate import separate

GRAVITY = 0               # index: axis
FIXED_POINT = 1           # index: place in q
BODY_MASS = 2             # index: body
BODY_CENTRE = 3           # index: body, axis
BODY_INERTIA = 4          # index: body
BODY_LENGTH = 5           # index: body
BODY_PLACE = 6            # index: constraint of a further point of a body, axis
WELDED_ANGLE = 7          # index: constraint
FORCE = 8                 # index: force, number


@njit(cache=True)
def constraint_of(model, body, point):
    """Return the constraint that places a further point on a body."""
    for k in range(model.constraints):
        if (model.constraint_kind[k] == RIGID_POINT and model.constraint_body[k] == body
                and model.constraint_index[k, 2] == point):
            return k
    return 0


@njit(cache=True)
def place_of(model, body, point):
    """Return where a point (index of its x) is: in a body's frame, or fixed if body is -1."""
    if body < 0:
        return model.fixed[point], model.fixed[point + 1]
    if point == model.body_index[body, 0]:
        return 0.0, 0.0
    if point == model.body_index[body, 1]:
        return model.body_length[body], 0.0
    k = constraint_of(model, body, point)
    return model.constraint_value[k, 2], model.constraint_value[k, 3]


@njit(cache=True)
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
        if kind == CONSTANT_DISTANCE and body >= 0:
            value[0] = model.body_length[body]
        elif kind == RIGID_POINT and body >= 0:
            value[0] = value[2] / model.body_length[body]
            value[1] = value[3] / model.body_length[body]
        elif kind == TWO_LINES and value[2] != 0.0:
            (ax, ay), (bx, by) = (place_of(model, body, model.constraint_index[k, 0]),
                                  place_of(model, body, model.constraint_index[k, 1]))
            value[2] = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))


@njit(cache=True)
def write_effect(kind, first, second, number, gravity, fixed, mass, centre, inertia, length,
                 constraint_value, force_value):
    """Write a number where an effect has its place, in arrays of a model or of their changes.

    Not one on a welded angle, which the model has sine and cosine of.
    """
    if kind == GRAVITY:
        gravity[first] = number
    elif kind == FIXED_POINT:
        fixed[first] = number
    elif kind == BODY_MASS:
        mass[first] = number
    elif kind == BODY_CENTRE:
        centre[first, second] = number
    elif kind == BODY_INERTIA:
        inertia[first] = number
    elif kind == BODY_LENGTH:
        length[first] = number
    elif kind == BODY_PLACE:
        constraint_value[first, 2 + second] = number
    elif kind == FORCE:
        force_value[first, second] = number


@separate(MODEL, PARAMETER, float64)
def set_parameter(model, parameter, value):
    """Give a parameter another value; changes the model in place.

    A workspace needs mass_matrix(model, work.M) then, and its position solved again.  A value
    outside the domain of the file's expressions makes numbers that are none.
    """
    parameter.value = value
    for k in range(parameter.effects):
        run(parameter.operations[k], parameter.numbers[k], value, parameter.stack)
        number = parameter.stack[0, 0]
        kind, first, second = parameter.kind[k], parameter.index[k, 0], parameter.index[k, 1]
        if kind == WELDED_ANGLE:
            model.constraint_value[first, 0] = sin(number)
            model.constraint_value[first, 1] = cos(number)
        else:
            write_effect(kind, first, second, number, model.gravity, model.fixed, model.body_mass,
                         model.body_centre, model.body_inertia, model.body_length,
                         model.constraint_value, model.force_value)
    derive(model)
