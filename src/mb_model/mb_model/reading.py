"""From the mapping in a mechanism file to its validated Description."""

from mb_model.description import Body, Description, Point
from mb_model.entries import Entries
from mb_model.reading_forces import read_force
from mb_model.reading_relations import read_constraint, read_coordinate

_REQUIRED = ('name', 'points', 'bodies', 'independent')
_OPTIONAL = ('description', 'gravity', 'parameters', 'coordinates', 'constraints', 'forces',
             'start', 'start_velocity', 'sensors', 'sensor_groups')
_DEFAULT_GRAVITY = (0.0, -9.81)


def read_description(raw, file):
    """Return the Description of a mechanism from its mapping; file: its name in messages.

    Raises MechanismError naming file, key, value and expectation.
    """
    entries = Entries(file)
    entries.mapping('', raw, _REQUIRED, _OPTIONAL)
    entries.parameters = _parameters(entries, raw.get('parameters', {}))
    points = {name: _point(entries, name, value)
              for name, value in entries.named('points', raw['points']).items()}
    bodies = {name: _body(entries, name, value, points)
              for name, value in entries.named('bodies', raw['bodies']).items()}
    coordinates, constraints = (
        {name: read(entries, name, value, points, bodies)
         for name, value in entries.named(key, raw.get(key, {})).items()}
        for key, read in (('coordinates', read_coordinate), ('constraints', read_constraint)))
    _check_use(entries, points, bodies)
    names = coordinate_names(points, coordinates)
    forces = {name: read_force(entries, name, value, names)
              for name, value in entries.named('forces', raw.get('forces', {})).items()}
    independent = entries.names('independent', raw['independent'], names, 'coordinate')
    if not independent:
        entries.fail('independent', '[] must be at least one coordinate')
    sensors = entries.named('sensors', raw.get('sensors', {}))
    for name, value in sensors.items():
        entries.mapping(f'sensors.{name}', value)
    return Description(
        name=entries.text('name', raw['name']), file=file,
        description=entries.text('description', raw.get('description', '')),
        gravity=entries.vector('gravity', raw.get('gravity', _DEFAULT_GRAVITY)),
        parameters=entries.parameters, points=points, bodies=bodies, coordinates=coordinates,
        constraints=constraints, forces=forces, independent=independent,
        start=_values(entries, 'start', raw.get('start', {}), independent),
        start_velocity=_values(entries, 'start_velocity', raw.get('start_velocity', {}),
                               independent),
        sensors=sensors, sensor_groups=_groups(entries, raw.get('sensor_groups', {}), sensors))


def coordinate_names(points, coordinates):
    """Return the names of q: x and y of the moving points, then the added coordinates."""
    return [f'{point.name}.{axis}' for point in points.values() if not point.fixed
            for axis in 'xy'] + list(coordinates)


def _parameters(entries, raw):
    """Return the named numbers; one may use those above it."""
    for name, value in entries.named('parameters', raw).items():
        if name == 'pi':
            entries.fail('parameters.pi', 'pi is known already')
        entries.parameters[name] = entries.number(f'parameters.{name}', value)
    return entries.parameters


def _point(entries, name, value):
    path = f'points.{name}'
    entries.mapping(path, value, optional=('fixed', 'start'))
    if len(value) != 1:
        entries.fail(path, 'must have either fixed: [x, y] or start: [x, y]')
    (key, position), = value.items()
    return Point(name, key == 'fixed', entries.vector(f'{path}.{key}', position))


def _body(entries, name, value, points):
    path = f'bodies.{name}'
    entries.mapping(path, value, ('points', 'mass'), ('length', 'centre_of_gravity', 'inertia'))
    places, length = _places(entries, path, value, points)
    mass = entries.number(f'{path}.mass', value['mass'], above=0.0)
    given = [key for key in ('centre_of_gravity', 'inertia') if key in value]
    rod = len(places) == 2
    if not given and rod:
        return Body(name, places, length, mass, (0.5 * length, 0.0), mass * length ** 2 / 12.0)
    for key in ('centre_of_gravity', 'inertia'):
        if key not in given:
            entries.fail(f'{path}.{key}', 'missing (only a body on two points without both '
                                          'is taken as a uniform rod)')
    return Body(name, places, length, mass,
                entries.vector(f'{path}.centre_of_gravity', value['centre_of_gravity']),
                entries.number(f'{path}.inertia', value['inertia'], at_least=0.0))


def _places(entries, path, value, points):
    """Return (point -> place in the body's frame, length between the first two points)."""
    raw = value['points']
    names = entries.names(f'{path}.points', list(raw) if isinstance(raw, dict) else raw,
                          points, 'point')
    if len(names) < 2:
        entries.fail(f'{path}.points', f'{list(names)} must be at least two points')
    if isinstance(raw, dict):
        if 'length' in value:
            entries.fail(f'{path}.length', 'is given by the places of the points already')
        places = {point: entries.vector(f'{path}.points.{point}', raw[point]) for point in names}
        first, second = names[:2]
        if places[first] != (0.0, 0.0):
            entries.fail(f'{path}.points.{first}', 'the first point must be at [0, 0]')
        length = entries.number(f'{path}.points.{second}[0]', places[second][0], above=0.0)
        if places[second][1] != 0.0:
            entries.fail(f'{path}.points.{second}[1]',
                         f'{places[second][1]} must be 0: the x axis goes to the second point')
        return places, length
    if len(names) > 2:
        entries.fail(f'{path}.points', 'a body on more than two points needs the place of each, '
                                       'as {first: [0, 0], second: [x, 0], third: [x, y]}')
    if 'length' not in value:
        entries.fail(f'{path}.length', 'missing')
    length = entries.number(f'{path}.length', value['length'], above=0.0)
    return {names[0]: (0.0, 0.0), names[1]: (length, 0.0)}, length


def _check_use(entries, points, bodies):
    """Every moving point belongs to a body, and every body can move."""
    used = {point for body in bodies.values() for point in body.points}
    for name, point in points.items():
        if name not in used and not point.fixed:
            entries.fail(f'points.{name}', 'belongs to no body')
    for name, body in bodies.items():
        first, second = list(body.points)[:2]
        if points[first].fixed and points[second].fixed:
            entries.fail(f'bodies.{name}.points', f'{first} and {second} are both fixed: '
                                                  'the body cannot move')


def _values(entries, path, raw, independent):
    """Return the numbers given for independent coordinates."""
    entries.mapping(path, raw)
    for name in raw:
        if name not in independent:
            entries.fail(f'{path}.{name}', 'not an independent coordinate, those are '
                                           f'{", ".join(independent)}')
    return {name: entries.number(f'{path}.{name}', value) for name, value in raw.items()}


def _groups(entries, raw, sensors):
    groups = {}
    for name, value in entries.named('sensor_groups', raw).items():
        if name in sensors:
            entries.fail(f'sensor_groups.{name}', 'is the name of a sensor')
        groups[name] = entries.names(f'sensor_groups.{name}', value, sensors, 'sensor')
    return groups
