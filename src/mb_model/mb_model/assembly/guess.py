"""Where the coordinates of a mechanism start: those of the file's points, and what follows."""

from math import atan2, hypot, pi

import numpy as np

from mb_model.compilation.equations import line_length


def start_guess(description):
    """Return q (n) at the start of the points, angles in the turn of the file's start.

    The angle of a coil spring is in the turn that starts of angles decide, else next to its rest.
    """
    guess = [x for point in description.points.values() if not point.fixed for x in point.position]
    values = {}
    for name, coordinate in description.coordinates.items():
        value = _value(description, coordinate)
        if coordinate.unit == 'rad':
            near = description.start.get(name, value if coordinate.rest is None
                                         else _wound(description, coordinate, values))
            value += 2.0 * pi * round((near - value) / (2.0 * pi))
        values[name] = value
    return np.array(guess + list(values.values()))


def _wound(description, coordinate, values):
    """Return a value next to the angle of a coil spring at the start.

    values: of the coordinates of the file.  Those whose start is given count turns.
    """
    angles = {}
    for name in description.start:
        other = description.coordinates.get(name)
        if other is not None and other.kind in ('angle', 'relative_angle'):
            angles[other.bodies] = values.get(name, 0.0)
    first, second = coordinate.bodies
    if (first, second) in angles:
        return angles[first, second]
    if (second, first) in angles:
        return -angles[second, first]
    if (first,) in angles and (second,) in angles:
        return angles[second,] - angles[first,]
    return coordinate.rest


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
