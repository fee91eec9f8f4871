"""Coordinates and constraints of a mechanism file: what relates points and bodies."""

from mb_model.mechanism_file.description import Constraint, Coordinate


def read_coordinate(entries, name, value, points, bodies):
    """Return the Coordinate of an entry of `coordinates`."""
    path, kind = f'coordinates.{name}', value['kind']
    if kind == 'angle':
        body = entries.one_of(f'{path}.body', value['body'], bodies, 'body')
        return Coordinate(name, kind, bodies=(body,))
    if kind == 'relative_angle':
        return Coordinate(name, kind, bodies=entries.names(f'{path}.bodies', value['bodies'],
                                                           bodies, 'body'))
    if kind == 'distance':
        ends = entries.names(f'{path}.points', value['points'], points, 'point')
        if all(points[end].fixed for end in ends):
            entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} are both fixed')
        return Coordinate(name, kind, points=ends)
    return Coordinate(name, kind, points=_slider(entries, path, value, points, bodies))


def read_constraint(entries, name, value, points, bodies):
    """Return the Constraint of an entry of `constraints`."""
    path, kind = f'constraints.{name}', value['kind']
    if kind == 'slider':
        return Constraint(name, kind, points=_slider(entries, path, value, points, bodies))
    if kind == 'prescribed':
        return Constraint(name, kind, coordinate=value['coordinate'], motion=value['motion'])
    return Constraint(name, kind, angle=value['angle'], bodies=entries.names(
        f'{path}.bodies', value['bodies'], bodies, 'body'))


def _slider(entries, path, value, points, bodies):
    """Return the two points of the line and the point on it."""
    along = entries.names(f'{path}.along', value['along'], points, 'point')
    point = entries.one_of(f'{path}.point', value['point'], points, 'point')
    if point in along:
        entries.fail(f'{path}.point', f'{point} is an end of the line already')
    rigid = any(set(along) <= set(body.points) for body in bodies.values())
    if not rigid and not all(points[end].fixed for end in along):
        entries.fail(f'{path}.along', f'{along[0]} and {along[1]} must be two fixed points or two '
                                      'points of one body')
    if any({*along, point} <= set(body.points) for body in bodies.values()) or all(
            points[name].fixed for name in (*along, point)):
        entries.fail(f'{path}.point', f'{point} cannot move along {along[0]} and {along[1]}')
    if not rigid and points[along[0]].position == points[along[1]].position:
        entries.fail(f'{path}.along', f'{along[0]} and {along[1]} are at the same place')
    return (*along, point)
