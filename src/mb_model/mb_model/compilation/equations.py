"""The constraints of a mechanism as equations for kernels.constraints."""

from dataclasses import dataclass
from math import cos, hypot, sin

from mb_model.kernels.constraints import (
    ABSOLUTE_ANGLE,
    CONSTANT_DISTANCE,
    PRESCRIBED,
    RELATIVE_ANGLE,
    RIGID_POINT,
    TWO_LINES,
    VARIABLE_DISTANCE,
)

_SHORTEST = 1e-3     # length at the start of a variable distance, in sizes of the mechanism


@dataclass(frozen=True)
class Equation:
    """One constraint: kind, addressed coordinates, numbers, equations, and what it means.

    bodies: for each point that index begins with, the body that the constraint acts on there, or
    None if it acts on the pin in the point.  inner: it holds a body together.
    """

    kind: int
    index: tuple[int, ...]
    value: tuple[float, ...]
    rows: int
    slope: float                # size of its derivatives
    meaning: str
    bodies: tuple[str | None, ...]
    inner: bool = False


def equations_of(description, index, names):
    """Return the equations; index: point -> place of its x, names: those of the coordinates."""
    equations = []
    for body in description.bodies.values():
        equations += _body_equations(body, index)
    for coordinate in description.coordinates.values():
        equations.append(_coordinate_equation(description, coordinate, index,
                                              names.index(coordinate.name)))
    for constraint in description.constraints.values():
        if constraint.kind != 'prescribed':
            equations.append(_constraint_equation(description, constraint, index))
    entry = len(names) + 2 * sum(point.fixed for point in description.points.values())
    for k, constraint in enumerate(description.prescribed.values()):
        equations.append(_prescribed_equation(description, constraint, names, entry + k))
    return tuple(equations)


def _body_equations(body, index):
    first, second, *others = body.points
    i, j = index[first], index[second]
    yield Equation(CONSTANT_DISTANCE, (i, j), (body.length,), 1, 2.0 * body.length,
                   f'bodies.{body.name} between {first} and {second}', 2 * (body.name,), True)
    for other in others:
        x, y = body.points[other]
        yield Equation(RIGID_POINT, (i, j, index[other]),
                       (x / body.length, y / body.length, x, y), 2, 1.0,
                       f'bodies.{body.name} at {other}', 3 * (body.name,), True)


def _coordinate_equation(description, coordinate, index, place):
    meaning = f'coordinates.{coordinate.name}'
    if coordinate.kind == 'distance':
        i, j = (index[name] for name in coordinate.points)
        return Equation(VARIABLE_DISTANCE, (i, j, place), (), 1,
                        2.0 * _start_distance(description, coordinate.points), meaning,
                        (None, None))
    if coordinate.kind == 'slider':
        *along, point = coordinate.points
        i, j = (index[name] for name in along)
        length = line_length(description, *along)
        return Equation(TWO_LINES, (i, j, i, index[point], place), (-1.0, 0.0, length), 1, length,
                        meaning, _slideway(description, *along))
    lines = [_axis(description, body, index) for body in coordinate.bodies]
    if coordinate.kind == 'angle':
        return Equation(ABSOLUTE_ANGLE, (*lines[0], place), (), 1, 1.0, meaning,
                        2 * coordinate.bodies)
    return Equation(RELATIVE_ANGLE, (*lines[0], *lines[1], place), (), 1,
                    _longest(description, coordinate.bodies), meaning,
                    _both(coordinate.bodies))


def _constraint_equation(description, constraint, index):
    meaning = f'constraints.{constraint.name}'
    if constraint.kind == 'slider':
        *along, point = constraint.points
        i, j = (index[name] for name in along)
        return Equation(TWO_LINES, (i, j, i, index[point], i), (0.0, 1.0, 0.0), 1,
                        line_length(description, *along), meaning,
                        _slideway(description, *along))
    first, second = (_axis(description, body, index) for body in constraint.bodies)
    value = (sin(constraint.angle), cos(constraint.angle), 0.0)
    return Equation(TWO_LINES, (*first, *second, first[0]), value, 1,
                    _longest(description, constraint.bodies), meaning,
                    _both(constraint.bodies))


def _both(bodies):
    """Return the bodies of the points of two lines, each the axis of one."""
    return 2 * bodies[:1] + 2 * bodies[1:]


def _slideway(description, first, second):
    """Return the bodies of the points of a slider: its line belongs to a body or to the ground."""
    for name, body in description.bodies.items():
        if first in body.points and second in body.points:
            return name, name, name, None
    return None, None, None, None


def _prescribed_equation(description, constraint, names, entry):
    """Return the equation of a coordinate that follows an entry driven by time."""
    coordinate = description.coordinates.get(constraint.coordinate)
    turning = coordinate is not None and coordinate.unit == 'rad'
    size = max(body.length for body in description.bodies.values())
    return Equation(PRESCRIBED, (names.index(constraint.coordinate), entry), (), 1,
                    1.0 / size if turning else 1.0, f'constraints.{constraint.name}', ())


def line_length(description, first, second):
    """Return the distance of two points that are both fixed or both on a body; else None."""
    points = description.points[first], description.points[second]
    if all(point.fixed for point in points):
        (ax, ay), (bx, by) = (point.position for point in points)
        return hypot(bx - ax, by - ay)
    for body in description.bodies.values():
        if first in body.points and second in body.points:
            (ax, ay), (bx, by) = body.points[first], body.points[second]
            return hypot(bx - ax, by - ay)
    return None


def _axis(description, body, index):
    first, second = list(description.bodies[body].points)[:2]
    return index[first], index[second]


def _longest(description, bodies):
    return max(description.bodies[body].length for body in bodies)


def _start_distance(description, points):
    (ax, ay), (bx, by) = (description.points[name].position for name in points)
    return max(hypot(bx - ax, by - ay),
               _SHORTEST * max(body.length for body in description.bodies.values()))
