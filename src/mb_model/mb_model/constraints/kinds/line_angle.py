"""The angle of the way from one point to another: that of a wheel's centre about its track, see
rolling.  It is an equation of absolute_angle.
"""

from mb_model.constraints.equation import Equation
from mb_model.constraints.relation import Coordinate, RelationKind


def _read(entries, path, name, value, points, bodies):
    ends = entries.names(f'{path}.points', value['points'], points, 'point')
    if all(points[end].fixed for end in ends):
        entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} are both fixed')
    if points[ends[0]].position == points[ends[1]].position:
        entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} are at the same place')
    return Coordinate(name, 'line_angle', points=ends)


def _equation(layout, angle):
    i, j = (layout.points[name] for name in angle.points)
    return Equation('absolute_angle', (i, j, layout.place(angle.name)), (), 1, 1.0,
                    f'coordinates.{angle.name}', (None, None))


COORDINATE = RelationKind('line_angle', {
    'description': 'Angle of the way from a point to another [rad].',
    'required': ['points'],
    'properties': {'points': {'$ref': '#/$defs/two_names',
                              'description': 'From this point, to this one.'}},
}, _read, _equation)
