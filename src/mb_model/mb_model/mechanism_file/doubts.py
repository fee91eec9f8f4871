"""Numbers of a mechanism file that are possible, but most likely not what is meant.

Angles in degrees: a turn is 6.3 rad, and a plain number beyond it is hardly an angle in radians.
Other units than metres: a body ten times as long as the distance at which its points start.
Masses are in doubtful_masses.
"""

from collections.abc import Callable, Iterator
from math import hypot, pi, sqrt
import re
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.mechanism_file.description import Body, Description
from mb_model.mechanism_file.schema import definition, definition_for, part_for
from mb_model.registry.joints import JOINTS
from mb_model.space.body import GROUND, Pose, SpatialBody

_TURN = 2.0 * pi
_OTHER_UNIT = 10.0      # ratio of lengths that should be about the same
_HEAVY_RIM = 30.0       # radius of gyration of a body against its length
_DEEP = 0.5             # of a play: how far flanks do not yield
_GRAVITY = 100.0        # [m/s^2]: no planet has more
_UNITS = re.compile(r'\[([^\]]*)\]')
_NUMBER = re.compile(r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?')
_CALL = re.compile(rf'\b(sin|cos|tan)\s*\(\s*({_NUMBER.pattern})\s*\)')


def doubts(raw: dict[str, Any], description: Description) -> list[str]:
    """Return a text for each doubtful number, which names its key.

    raw: the mapping of the file; description: the Description read from it.
    """
    schema = definition(definition_for(raw, 'mechanism'), published=True)
    lengths, reach = (lengths_in_space, reach_in_space) if description.dimension == 3 else (
        _lengths, _reach)
    return [*_angles('', raw, schema, description), *_starts(raw, description),
            *lengths(description), *_others(description, reach), *_plays(description),
            *doubtful_masses(description, reach)]


def _angles(path: str, value: Any, schema: Any, description: Description,
            coordinate: str | None = None) -> Iterator[str]:
    """Yield texts about angles below a path; coordinate: that the entry there is about."""
    part = part_for(schema, value) if isinstance(schema, dict) else None
    if isinstance(value, dict):
        known, others = ({}, None) if part is None else (
            part.get('properties', {}) | schema.get('properties', {}),
            part.get('additionalProperties'))
        section, _, inner = path.partition('.')
        own = inner.partition('.')[0] if section == 'coordinates' and inner else coordinate
        coordinate = value.get('coordinate', own)
        for key, item in value.items():
            yield from _angles(f'{path}.{key}' if path else str(key), item,
                               known.get(key, others), description, coordinate)
    elif isinstance(value, (list, tuple)):
        for k, item in enumerate(value):
            yield from _angles(f'{path}[{k}]', item, _of_item(part or {}), description)
    elif part is not None and _is_angle(part, description, coordinate):
        yield from _in_degrees(path, value)
    if isinstance(value, str):
        yield from (f'{path}: {call} is of {float(number):g} rad, {_turns(number)}'
                    for call, number in ((match.group(), match.group(2))
                                         for match in _CALL.finditer(value))
                    if abs(float(number)) > _TURN)


def _of_item(part: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of the items of a list, with what is said about the list."""
    items = part.get('items')
    return items and {key: part[key] for key in ('description',) if key in part} | items


def _is_angle(part: dict[str, Any], description: Description, coordinate: str | None) -> bool:
    """Return whether a value is an angle by its schema, or by the coordinate that it is of."""
    units = [unit.split(' or ') for unit in _UNITS.findall(part.get('description', ''))]
    unit = next((unit for unit in units if 'rad' in unit), ())
    return len(unit) == 1 or (len(unit) > 1 and _turns_by(description, coordinate))


def _turns_by(description: Description, name: Any) -> bool:
    """Return whether a coordinate is an angle."""
    coordinate = description.coordinates.get(name) if isinstance(name, str) else None
    return coordinate is not None and coordinate.unit == 'rad'


def _in_degrees(path: str, value: Any) -> Iterator[str]:
    """Yield a text if a value is written as a number, not as an expression, and beyond a turn."""
    written = str(value).strip()
    if not isinstance(value, bool) and _NUMBER.fullmatch(written) and abs(float(written)) > _TURN:
        yield f'{path}: {written} rad are {_turns(written)}'


def _turns(number: float | str) -> str:
    """Return what an angle is in turns, and what else may be meant."""
    return f'{abs(float(number)) / _TURN:.3g} turns; for degrees write radians({number})'


def _starts(raw: dict[str, Any], description: Description) -> Iterator[str]:
    """Yield texts about angles at the start."""
    start = raw.get('start')
    for name, value in (start if isinstance(start, dict) else {}).items():
        if _turns_by(description, name):
            yield from _in_degrees(f'start.{name}', value)


def _lengths(description: Description) -> Iterator[str]:
    """Yield texts about bodies whose size does not fit the starts of their points."""
    for name, body in description.bodies.items():
        (first, origin), *others = body.points.items()
        for other, offset in others:
            length = hypot(offset[0] - origin[0], offset[1] - origin[1])
            start, end = (description.points[point].position for point in (first, other))
            apart = hypot(end[0] - start[0], end[1] - start[1])
            if max(length, apart) > _OTHER_UNIT * min(length, apart) > 0.0:
                yield (f'bodies.{name}: {first} and {other} are {length:g} m apart on the body, '
                       f'{apart:.4g} m where they start; is one of them not in metres?')


def _others(description: Description, reach: Callable[[Any, Any], float]) -> Iterator[str]:
    """Yield texts about inertias and gravity of another unit."""
    for name, body in description.bodies.items():
        moment = float(np.linalg.norm(body.inertia, 2)) if description.dimension == 3 else (
            body.inertia)
        radius, far = sqrt(moment / body.mass) if body.mass else 0.0, reach(description, body)
        if radius > _HEAVY_RIM * far > 0.0:
            yield (f'bodies.{name}.inertia: {moment:g} kg m^2 is as of a ring of '
                   f'{radius:.4g} m radius; is it not in kg m^2?')
    if hypot(*description.gravity) > _GRAVITY:
        yield f'gravity: {list(description.gravity)} is more than any planet has; is it in m/s^2?'


def _plays(description: Description) -> Iterator[str]:
    """Yield texts about starts deep in the flanks of a backlash."""
    for name, force in description.forces.items():
        if force.kind == 'backlash' and force.coordinate in description.start:
            x, (least, largest) = description.start[force.coordinate], (force.least, force.largest)
            deep = max(x - largest, least - x)
            if deep > _DEEP * (largest - least):
                yield (f'start.{force.coordinate}: {x:g} is {deep:.3g} beyond the play of '
                       f'forces.{name}, which is from {least:g} to {largest:g}')


def _reach(description: Description, body: Body) -> float:
    """Return how far the points of a body are from its frame's origin [m]."""
    return max(hypot(*offset) for offset in body.points.values())


_FAR = 3.0      # distance of what should meet, in sizes of both bodies: poses are near the start


def lengths_in_space(description: Description) -> Iterator[str]:
    """Yield texts about joints whose bodies, as large as they are, start far apart."""
    poses = {name: body.pose for name, body in description.bodies.items() if body.pose}
    poses[GROUND] = Pose(np.zeros(3), np.eye(3))
    for name, joint in description.joints.items():
        if 'point' not in JOINTS[joint.kind].shared or not all(
                body in poses for body in joint.bodies):
            continue
        first, second = (poses[body].of(offset)
                         for body, offset in zip(joint.bodies, joint.offsets, strict=True))
        apart = float(np.linalg.norm(second - first))
        sizes = [reach_in_space(description, description.bodies[body])
                 for body in joint.bodies if body != GROUND]
        if apart > _FAR * sum(sizes) > 0.0:
            yield (f'joints.{name}: the points that meet are {apart:.4g} m apart where the bodies '
                   f'start, which are {max(sizes):.4g} m large; is one of them not in metres?')


def reach_in_space(description: Description, body: SpatialBody) -> float:
    """Return how far points, joints and shapes of a body are from its centre of gravity [m]."""
    offsets = [np.array(offset) for offset in body.points.values()]
    offsets += [offset for joint in description.joints.values()
               for other, offset in zip(joint.bodies, joint.offsets, strict=True)
               if other == body.name]
    centre = np.array(body.centre_of_gravity)
    distances = [np.linalg.norm(offset - centre) for offset in offsets]
    distances += [np.linalg.norm(solid.centre - centre) + 0.5 * max(solid.size)
             for solid in body.shapes]
    return float(max(distances, default=0.0))


_DENSEST = 22_600.0     # [kg/m^3]: osmium
_THIN = 1e-2            # an axis this short against the longest is left out by the file, not known
_DEPTH = 10.0           # of a body in the plane across it, in its length or radius, the most
_HEAVIER = 1e4          # than all other bodies together
_LIGHTER = 1e-8         # of all bodies together


def doubtful_masses(description: Any, reach: Callable[[Any, Any], float]) -> Iterator[str]:
    """Yield texts about bodies that are denser than any material, or out of all proportion.

    Mass and moments of inertia alone bound the density: no body is less dense throughout than the
    ellipsoid that has both.  Points without inertia and flexible bodies are left out.
    reach(description, body): how far it extends [m]; an inertia counts as a mass at its end.
    """
    axes = _axes_in_space if description.dimension == 3 else _axes
    masses = {name: max(body.mass, _mass_of_inertia(body, reach(description, body)))
              for name, body in description.bodies.items()}
    total = sum(masses.values())
    for name, body in description.bodies.items():
        if not body.mass > 0.0:
            continue
        lengths = axes(body) if body.beam is None else None
        if lengths is not None:
            density = body.mass / (4.0 / 3.0 * pi * float(np.prod(lengths)))
            if density > _DENSEST:
                # At the same inertia lengths grow as 1 / sqrt(mass), so densities as mass^2.5.
                most = body.mass * (_DENSEST / density) ** 0.4
                yield (f'bodies.{name}.mass: {body.mass:g} kg with its moments of inertia are '
                       f'{density:.3g} kg/m^3 or more, no material has more than {_DENSEST:g}; '
                       f'expected up to {most:.3g} kg with this inertia, or moments of inertia '
                       f'{(density / _DENSEST) ** (2.0 / 3.0):.3g} times as large')
        others = sum(mass for other, mass in masses.items() if other != name)
        if body.mass > _HEAVIER * others > 0.0:
            yield (f'bodies.{name}.mass: {body.mass:g} kg is {body.mass / others:.3g} times the '
                   f'mass of all other bodies together, expected up to {_HEAVIER * others:.3g} kg; '
                   'is it in kg?')
        elif masses[name] < _LIGHTER * total:
            yield (f'bodies.{name}.mass: {body.mass:g} kg is {body.mass / total:.3g} of '
                   f'all bodies, expected {_LIGHTER * total:.3g} kg or more, or 0; is it in kg?')


def _mass_of_inertia(body: Any, far: float) -> float:
    """Return the mass at a distance [m] that has the inertia of a body; 0 at none."""
    return float(np.max(body.inertia)) / far ** 2 if far > 0.0 else 0.0


def _axes_in_space(body: Any) -> FloatArray | None:
    """Return half axes (3) of the ellipsoid [m]; None of a point.

    One that is left out, as of a thin rod, counts as the longest.
    """
    moments = np.linalg.eigvalsh(body.inertia)
    squares = 5.0 * (0.5 * moments.sum() - moments) / body.mass
    longest = squares.max()
    if not longest > 0.0:
        return None
    return np.sqrt(np.where(squares < _THIN ** 2 * longest, longest, squares))


def _axes(body: Any) -> FloatArray | None:
    """Return the same of a body in the plane, as deep as it may be."""
    if not body.inertia > 0.0:
        return None
    radius = 2.0 * sqrt(body.inertia / (2.0 * body.mass))
    return np.array([radius, radius, _DEPTH * max(body.length, radius)])
