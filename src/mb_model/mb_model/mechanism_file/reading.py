"""From the mapping in a mechanism file to its validated Description.

The schema decides keys, types and bounds; here is what it cannot say: names that must exist, and
what must fit together.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
import re
from typing import Any

from mb_model.constraints.coordinate_keys import with_keys
from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import stops_of
from mb_model.mechanism_file.description import Body, Description, Point
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.expressions import joined_expressions
from mb_model.mechanism_file.flexible_bodies import (
    added_coordinates,
    added_forces,
    added_points,
    check_further_points,
    read_beam,
)
from mb_model.mechanism_file.hydraulics import read_hydraulics
from mb_model.mechanism_file.programs import check_prescribed
from mb_model.mechanism_file.repetition import completed, expanded
from mb_model.mechanism_file.schema import definition, definition_for
from mb_model.mechanism_file.schema.conformity import note_structure
from mb_model.mechanism_file.spatial_reading import check_use, read_parts
from mb_model.mechanism_file.unweighed import require_no_inertia
from mb_model.registry.constraints import CONSTRAINTS, COORDINATES
from mb_model.registry.forces import FORCES
from mb_model.shapes import SHAPES, BodyShape

_OF_NODE = re.compile(r'.+\..+\.[xyz]')      # a coordinate of a node, such as rod.v3.y

def read_description(raw: dict[str, Any], file: str) -> Description:
    """Return the Description of a mechanism from its mapping; file: its name in messages.

    Raises MechanismError naming file, key, value and expectation; it has all mistakes that can be
    found at once.
    """
    entries = Entries(file)
    data = _read(entries, raw)
    if data.get('dimension') == 3:
        return _in_space(entries, data, file)
    points = entries.each('points', data['points'], _point)
    bodies = entries.each('bodies', data['bodies'],
                          lambda name, value: _body(entries, name, value, points))
    coordinates = entries.each(
        'coordinates', data['coordinates'], lambda name, value: with_keys(
            entries, f'coordinates.{name}', COORDINATES[value['kind']].read(
                entries, f'coordinates.{name}', name, value, points, bodies), value))
    constraints = entries.each(
        'constraints', data['constraints'], lambda name, value: CONSTRAINTS[value['kind']].read(
            entries, f'constraints.{name}', name, value, points, bodies))
    all_points = points | added_points(bodies, points)
    coordinates |= added_coordinates(bodies)
    names = coordinate_names(all_points, coordinates)
    forces, added = _forces(entries, data['forces'], names, points, bodies)
    coordinates |= added
    forces |= added_forces(bodies) | stops_of(coordinates)
    names = coordinate_names(all_points, coordinates)
    rest = _rest(entries, data, names, coordinates, constraints)
    _check_use(entries, points, bodies)
    _check_mass(entries, bodies, 'hydraulics' in data)
    entries.finish()
    return Description(points=all_points, bodies=bodies, coordinates=coordinates, forces=forces,
                       constraints=constraints, file=file, **rest)


def _in_space(entries: Entries, data: dict[str, Any], file: str) -> Description:
    """Return the Description of a file with `dimension: 3`."""
    bodies, joints, coordinates, constraints, forces = read_parts(entries, data)
    check_use(entries, bodies, joints)
    _check_mass(entries, bodies, 'hydraulics' in data)
    rest = _rest(entries, data, None, coordinates, constraints, _of_nodes(data, bodies, joints))
    return Description(points={}, bodies=bodies, coordinates=coordinates, forces=forces,
                       constraints=constraints, file=file, dimension=3, joints=joints, **rest)


def _of_nodes(data: dict[str, Any], bodies: dict[str, Any], joints: dict[str, Any]) -> list[str]:
    """Return names of nodes' coordinates among what decides the motion, as they look.

    Which nodes there are is known later, see assembly.freedom.
    """
    given = [*data.get('independent', ()), *data['start'], *data['start_velocity']]
    return [name for name in given if isinstance(name, str) and _OF_NODE.fullmatch(name)
            and name.partition('.')[0] in {**bodies, **joints}]


def _rest(entries: Entries, data: dict[str, Any], names: Sequence[str] | None,
          coordinates: Mapping[str, Coordinate], constraints: Mapping[str, Any],
          of_nodes: Sequence[str] = ()) -> dict[str, Any]:
    """Return what files of both dimensions have, as fields of Description.

    names: of all coordinates; None: nodes are not known yet; of_nodes: what is taken
    for such in independent and start.  Raises MechanismError if mistakes have been noted.
    """
    names = list(coordinates) if names is None else names
    free = [*names, *(name for name in of_nodes if name not in names)]
    independent, hydraulics = None, None
    drives: tuple[str, ...] = ()
    if 'independent' in data:
        with entries.noted('independent'):
            independent = entries.names('independent', data['independent'], free, 'coordinate')
            independent += tuple(name for name, one in coordinates.items()
                                 if one.is_free and name not in independent)
    check_prescribed(entries, constraints, names, independent, data['parameters'])
    for name, constraint in constraints.items():
        with entries.noted(f'constraints.{name}'):
            entries.names(f'constraints.{name}',
                          tuple(CONSTRAINTS[constraint.kind].coordinates(constraint)), names,
                          'coordinate')
            CONSTRAINTS[constraint.kind].check(entries, f'constraints.{name}', constraint,
                                               coordinates)
    with entries.noted('drives'):
        drives = entries.names('drives', data['drives'], names, 'coordinate')
    if 'hydraulics' in data and not entries.is_broken('hydraulics'):
        with entries.noted('hydraulics'):
            hydraulics = read_hydraulics(entries, data['hydraulics'], coordinates)
    if not entries.is_broken('independent'):
        for key in ('start', 'start_velocity'):
            _check_values(entries, key, data[key], free, independent)
    groups = _groups(entries, data['sensor_groups'], data['sensors'])
    entries.finish()
    return {'independent': independent, 'drives': drives, 'hydraulics': hydraulics,
            'sensor_groups': groups} | {
        key: data[key] for key in ('name', 'description', 'gravity', 'parameters', 'start',
                                   'start_velocity', 'sensors')}


def coordinate_names(points: Mapping[str, Point], coordinates: Iterable[str]) -> list[str]:
    """Return the names of q: x and y of the moving points, then the added coordinates."""
    return [f'{point.name}.{axis}' for point in points.values() if not point.fixed
            for axis in 'xy'] + list(coordinates)


def _read(entries: Entries, raw: dict[str, Any]) -> dict[str, Any]:
    """Return the mapping of a whole file: repetitions written out, numbers as floats, defaults.

    Without entries whose keys are wrong, with NaN for numbers that are: these mistakes are noted.
    """
    raw, parameters = _whole(entries, raw)
    name = definition_for(raw, 'mechanism')
    note_structure(entries, '', raw, name)
    return completed(entries, '', entries.sound(raw), definition(name), parameters) | {
        'parameters': parameters}


def whole_mapping(raw: dict[str, Any], file: str) -> dict[str, Any]:
    """Return the mapping of a valid mechanism file with its repetitions written out."""
    return _whole(Entries(file), raw)[0]


def _whole(entries: Entries, raw: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
    """Return (the mapping of a file with its repetitions written out, its named numbers)."""
    raw = joined_expressions(entries, '', raw)
    parameters = _parameters(entries, raw.get('parameters', {}))
    return expanded(entries, raw, parameters), parameters


def _parameters(entries: Entries, raw: Any) -> dict[str, float]:
    """Return the named numbers that are right; one may use those above it."""
    note_structure(entries, 'parameters', raw, 'parameters')
    parameters: dict[str, float] = {}

    def read(name: str, value: Any) -> None:
        if name == 'pi':
            entries.fail('parameters.pi', 'pi is known already')
        parameters[name] = entries.number(f'parameters.{name}', value, parameters)

    if isinstance(raw, dict):
        entries.each('parameters', raw, read)
    return parameters


def _point(name: str, value: dict[str, Any]) -> Point:
    (key, position), = value.items()
    return Point(name, key == 'fixed', position)


def _body(entries: Entries, name: str, value: dict[str, Any], points: Mapping[str, Point]) -> Body:
    path = f'bodies.{name}'
    offsets, length = _offsets(entries, path, value, points)
    if 'mass' not in value:
        require_no_inertia(entries, path, value)
        return Body(name, offsets, length, 0.0, (0.5 * length, 0.0), 0.0,
                    shape=_shape(entries, path, value, offsets), weighed=False)
    mass = value['mass']
    if 'flexible' in value:
        body = Body(name, offsets, length, mass, (0.5 * length, 0.0), mass * length * length / 12.0,
                    True, beam=read_beam(entries, path, value, length))
        check_further_points(entries, path, body)
        return body
    shape = _shape(entries, path, value, offsets)
    if 'inertia' in value:
        return Body(name, offsets, length, mass, value['centre_of_gravity'], value['inertia'],
                    shape=shape)
    if len(offsets) > 2:
        entries.fail(f'{path}.centre_of_gravity', 'missing (only a body on two points without it '
                                                  'is taken as a uniform rod)')
    if mass == 0.0:
        entries.fail(f'{path}.mass', f'{mass:g} must be > 0 of a uniform rod')
    inertia = mass * length * length / 12.0
    if not isfinite(inertia):
        entries.fail(f'{path}.length', f'{length:g} is too large, a rod of it has no inertia')
    return Body(name, offsets, length, mass, (0.5 * length, 0.0), inertia, True, shape)


def _offsets(entries: Entries, path: str, value: dict[str, Any],
             points: Mapping[str, Point]) -> tuple[dict[str, tuple[float, float]], float]:
    """Return (point -> offset in the body's frame, length between the first two points)."""
    given = value['points']
    names = entries.names(f'{path}.points', list(given), points, 'point')
    if isinstance(given, dict):
        if 'length' in value:
            entries.fail(f'{path}.length', 'is given by the points already')
        first, second = names[:2]
        if given[first] != (0.0, 0.0):
            entries.fail(f'{path}.points.{first}', 'the first point must be at [0, 0]')
        length, across = given[second]
        if not length > 0.0 or across != 0.0:
            entries.fail(f'{path}.points.{second}',
                         f'{[length, across]} must be [x, 0] with x > 0: the x axis goes there')
        return given, length
    if len(names) > 2:
        entries.fail(f'{path}.points', 'a body on more than two points needs where each is, '
                                       'as {first: [0, 0], second: [x, 0], third: [x, y]}')
    if 'length' not in value:
        entries.fail(f'{path}.length', 'missing')
    return {names[0]: (0.0, 0.0), names[1]: (value['length'], 0.0)}, value['length']


def _shape(entries: Entries, path: str, value: dict[str, Any],
           offsets: Mapping[str, tuple[float, float]]) -> BodyShape | None:
    """Return the BodyShape of a body with offsets of its points, None if it has none."""
    if 'shape' not in value:
        return None
    shape = value['shape']
    return SHAPES[shape['kind']].read(entries, f'{path}.shape', shape, offsets)


def _forces(entries: Entries, data: dict[str, Any], coordinates: Sequence[str],
            points: Mapping[str, Point],
            bodies: Mapping[str, Body]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (forces, coordinates that they add to the mechanism), both by name."""
    forces = entries.each('forces', data, lambda name, value: FORCES[value['kind']].read(
        entries, name, value, coordinates, points, bodies))
    return ({name: force for name, (force, _) in forces.items()},
            {one.name: one for _, added in forces.values() for one in added})


def _check_use(entries: Entries, points: Mapping[str, Point], bodies: Mapping[str, Body]) -> None:
    """Every moving point belongs to a body, and every body can move."""
    used = {point for body in bodies.values() for point in body.points}
    for name, point in points.items():
        with entries.noted(f'points.{name}'):
            if name not in used and not point.fixed:
                entries.fail(f'points.{name}', 'belongs to no body')
    for name, body in bodies.items():
        first, second = list(body.points)[:2]
        with entries.noted(f'bodies.{name}'):
            if points[first].fixed and points[second].fixed:
                entries.fail(f'bodies.{name}.points', f'{first} and {second} are both fixed: '
                                                      'the body cannot move')


def _check_mass(entries: Entries, bodies: Mapping[str, Any], oil: bool) -> None:
    """One body has a mass, as far as all could be read, or the file does not say masses."""
    unweighed = [name for name, body in bodies.items() if not body.weighed]
    with entries.noted('bodies'):
        if unweighed and oil:
            entries.fail(f'bodies.{unweighed[0]}.mass', 'missing, it goes with hydraulics')
        if not (unweighed or entries.is_broken('bodies')
                or any(body.mass > 0.0 for body in bodies.values())):
            entries.fail('bodies', 'the mass of one of them at least must be > 0')


def _check_values(entries: Entries, path: str, values: Iterable[str], names: Sequence[str],
                  independent: Sequence[str] | None) -> None:
    """Only independent coordinates may be given; if they are not named, any coordinate."""
    for name in values:
        with entries.noted(f'{path}.{name}'):
            if independent is None:
                entries.one_of(path, name, names, 'coordinate')
            elif name not in independent:
                entries.fail(f'{path}.{name}', 'not an independent coordinate, those are '
                                               f'{", ".join(independent)}')


def _groups(entries: Entries, groups: Mapping[str, Any],
            sensors: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    def read(name: str, members: Iterable[Any]) -> tuple[str, ...]:
        if name in sensors:
            entries.fail(f'sensor_groups.{name}', 'is the name of a sensor')
        return entries.names(f'sensor_groups.{name}', members, sensors, 'sensor')

    return entries.each('sensor_groups', groups, read)
