"""Where the coordinates of a mechanism start: those of the file's points, and what follows."""

from math import atan2, hypot, pi

import numpy as np

from mb_model.compilation.equations import line_length


def start_guess(description):
    """Return q (n) at the start of the points, angles in the turn of the file's start."""
    guess = [x for point in description.points.values() if not point.fixed for x in point.position]
    for name, coordinate in description.coordinates.items():
        value = _value(description, coordinate)
        if coordinate.unit == 'rad':
            value += 2.0 * pi * round((description.start.get(name, value) - value) / (2.0 * pi))
        guess.append(value)
    return np.array(guess)


def _value(description, coordinate):
    """Return the value of an added coordinate at the start of the points."""
    if coordinate.kind == 'angle':
        ux, uy = _axis(description, coordinate.bodies[0])
        return atan2(uy, ux)
    if coordinate.kind == 'relative_angle':
        (ux, uy), (wx, wy) = (_axis(description, body) for body in coordinate.bodies)
        return atan2(ux * wy - uy * wx, ux * wx + uy * wy)
    if coordinate.kind == 'distance':
        return hypot(*_way(description, *coordinate.points))
    first, second, point = coordinate.points
    (ux, uy), (wx, wy) = _way(description, first, second), _way(description, first, point)
    return (ux * wx + uy * wy) / line_length(description, first, second)


def _axis(description, body):
    return _way(description, *list(description.bodies[body].points)[:2])


def _way(description, first, second):
    """Return the vector from one point to another at the start."""
    (ax, ay), (bx, by) = (description.points[name].position for name in (first, second))
    return bx - ax, by - ay
