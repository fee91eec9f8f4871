"""Forces of a mechanism file."""

from dataclasses import replace

from mb_model.mechanism_file.description import Coordinate, Force, Load

_WHERE = ('coordinate', 'points', 'bodies')


def read_forces(entries, data, coordinates, names, points, bodies):
    """Return (forces, coordinates): the entries of `forces`, the coordinates with those of springs.

    A spring between two bodies gets the relative angle of these as a coordinate, `<spring>.angle`,
    which counts turns; it acts on that.  names: those of q without them.
    """
    forces, added = {}, {}
    for name, value in data.items():
        force = read_force(entries, name, value, names, points, bodies)
        if value['kind'] == 'spring_damper' and force.bodies:
            angle = f'{name}.angle'
            added[angle] = Coordinate(angle, 'relative_angle', bodies=force.bodies, rest=force.rest)
            force = replace(force, coordinate=angle, bodies=())
        forces[name] = force
    return forces, coordinates | added


def read_force(entries, name, value, coordinates, points, bodies):
    """Return the Force or Load of an entry of `forces`; coordinates: all names of q."""
    path = f'forces.{name}'
    if value['kind'] == 'load':
        return _load(entries, path, value, bodies)
    where = _where(entries, path, value, coordinates, points, bodies)
    if value['kind'] == 'constant':
        return Force(name, **where, constant=value['force'])
    if value['kind'] == 'spring_damper':
        return Force(name, **where, stiffness=value['stiffness'], rest=value['rest'],
                     viscous=value['damping'])
    coulomb = value['coulomb']
    static = value.get('static', coulomb)
    if static < coulomb:
        entries.fail(f'{path}.static', f'{static:g} must be >= {coulomb:g}')
    if static > 0.0 and 'transition_velocity' not in value:
        entries.fail(f'{path}.transition_velocity', 'missing: below it friction fades out')
    return Force(name, **where, viscous=value['viscous'], coulomb=coulomb, static=static,
                 transition_velocity=value.get('transition_velocity', 1.0))


def _load(entries, path, value, bodies):
    """Return a Load; its place is given in the body's frame, or by a point of the body."""
    body = bodies[entries.one_of(f'{path}.body', value['body'], bodies, 'body')]
    if 'force' not in value and 'moment' not in value:
        entries.fail(path, 'must have a force: [x, y], a moment, or both')
    at = value['at']
    if isinstance(at, str):
        entries.one_of(f'{path}.at', at, body.points, f'point of {body.name}')
    return Load(body.name, at, value.get('force', (0.0, 0.0)), value.get('moment', 0.0),
                turning=value['axes'] == 'body')


def _where(entries, path, value, coordinates, points, bodies):
    """Return what a force acts on: its coordinate, two points or two bodies."""
    given = [key for key in _WHERE if key in value]
    if len(given) != 1:
        entries.fail(path, 'must have one of coordinate, points and bodies')
    key, = given
    if key == 'coordinate':
        return {key: entries.one_of(f'{path}.{key}', value[key], coordinates, 'coordinate')}
    names = entries.names(f'{path}.{key}', value[key], points if key == 'points' else bodies,
                          key[:-1] if key == 'points' else 'body')
    if key == 'points' and all(points[name].fixed for name in names):
        entries.fail(f'{path}.points', f'{names[0]} and {names[1]} are both fixed')
    return {key: names}
