"""From the mapping in a mechanism file with `dimension: 3` to its validated Description."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.constraints.coordinate_keys import with_keys
from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import Force, stops_of
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.flexible_bodies import (
    mode_coordinates,
    mode_springs,
    read_flexible_body,
    section_joints,
    sections_of,
)
from mb_model.mechanism_file.unweighed import require_no_inertia
from mb_model.registry.constraints import CONSTRAINTS
from mb_model.registry.joints import COORDINATES, JOINTS
from mb_model.registry.spatial import FORCES
from mb_model.space.body import GROUND, Offset, Pose, SpatialBody, read_offsets
from mb_model.space.joint import Joint, JointKind, frames_of
from mb_model.space.rotation import of_roll_pitch_yaw, rotation, shortest, unit
from mb_model.space.shape import Solid, read_solid

_TRIANGLE = 1e-9        # share by which a principal moment may exceed the sum of the others


def ground_body(points: dict[str, Offset]) -> SpatialBody:
    """Return the ground as a body with points, which has no mass."""
    return SpatialBody(GROUND, points, 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3)))


def read_body(entries: Entries, name: str, value: dict[str, Any]) -> SpatialBody:
    """Return the SpatialBody of an entry that conforms to its schema; raises MechanismError."""
    path = f'bodies.{name}'
    if name == GROUND:
        entries.fail(path, 'is the name of what does not move, its points are in ground:')
    if 'mass' not in value:
        require_no_inertia(entries, path, value)
        nothing = {'mass': 0.0, 'centre_of_gravity': (0.0,) * 3, 'inertia': (0.0,) * 3}
        return replace(read_body(entries, name, value | nothing), weighed=False)
    if 'flexible' in value:
        return read_flexible_body(entries, name, value, _pose(entries, path, value))
    shapes = tuple(read_solid(entries, f'{path}.shapes[{k}]', shape, value['points'], rotation)
                   for k, shape in enumerate(value['shapes']))
    centre, inertia = _mass_properties(entries, path, value, shapes)
    if value['slender']:
        _check_line(entries, path, value['points'], centre)
        _check_across(entries, path, inertia)
    return SpatialBody(name, value['points'], value['mass'], centre, inertia, value['slender'],
                       _pose(entries, path, value), shapes, 'inertia' not in value,
                       value['variable_places'])


def _pose(entries: Entries, path: str, value: dict[str, Any]) -> Pose | None:
    """Return the Pose of a body, None if it is not given."""
    if 'pose' not in value:
        return None
    pose = value['pose']
    if 'turn' in pose and 'rpy' in pose:
        entries.fail(f'{path}.pose', 'must have one of turn and rpy')
    turn = of_roll_pitch_yaw(pose['rpy']) if 'rpy' in pose else rotation(
        pose.get('turn', (0.0, 0.0, 0.0)))
    return Pose(np.array(pose['at']), turn)


def _mass_properties(entries: Entries, path: str, value: dict[str, Any],
                     shapes: Sequence[Solid]) -> tuple[Offset, FloatArray]:
    """Return (centre of gravity (3), inertia (3, 3) about it), given or from the shapes."""
    mass = value['mass']
    volumes = np.array([_volume(shape) for shape in shapes])
    shares = volumes / volumes.sum() if len(shapes) else volumes
    if 'centre_of_gravity' in value:
        centre = np.array(value['centre_of_gravity'])
    elif len(shapes):
        centre = sum(share * shape.centre for share, shape in zip(shares, shapes, strict=True))
    else:
        entries.fail(f'{path}.centre_of_gravity', 'missing: there are no shapes that give it')
    if 'inertia' in value:
        return tuple(centre.tolist()), _given_inertia(entries, f'{path}.inertia', value['inertia'])
    if not len(shapes):
        entries.fail(f'{path}.inertia', 'missing: there are no shapes that give it')
    inertia = np.zeros((3, 3))
    for share, shape in zip(shares, shapes, strict=True):
        arm = shape.centre - centre
        inertia += mass * share * (shape.unit_inertia + arm @ arm * np.eye(3) - np.outer(arm, arm))
    return tuple(centre.tolist()), inertia


def _volume(shape: Solid) -> float:
    """Return what the mass of a shape is in proportion to; of a rod its length."""
    if shape.kind == 'box':
        return float(np.prod(shape.size))
    if shape.kind == 'sphere':
        return 4.0 / 3.0 * np.pi * shape.size[0] ** 3
    radius, length, *inner = shape.size
    return np.pi * (radius ** 2 - sum(one ** 2 for one in inner)) * length


def _given_inertia(entries: Entries, path: str, numbers: Sequence[float]) -> FloatArray:
    """Return the matrix (3, 3) of three or six numbers, which some body must have."""
    if len(numbers) not in (3, 6):
        entries.fail(path, f'{len(numbers)} numbers must be three [xx, yy, zz] or six '
                           '[xx, yy, zz, xy, xz, yz]')
    inertia = np.diag(numbers[:3]).astype(float)
    if len(numbers) == 6:
        for (row, column), value in zip(((0, 1), (0, 2), (1, 2)), numbers[3:], strict=True):
            inertia[row, column] = inertia[column, row] = value
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] < -_TRIANGLE * moments[2]:
        entries.fail(path, f'{list(numbers)}: its principal moments {_text(moments)} must not be '
                           'negative')
    if moments[2] > (moments[0] + moments[1]) * (1.0 + _TRIANGLE):
        entries.fail(path, f'{list(numbers)}: no body has principal moments {_text(moments)}, each '
                           'is at most the sum of the others')
    return inertia


def _text(moments: Iterable[float]) -> str:
    return ', '.join(f'{value:.4g}' for value in moments)


def _check_line(entries: Entries, path: str, points: Mapping[str, Offset], centre: Offset) -> None:
    """The points of a slender body and its centre of gravity are in line."""
    offsets = np.array([*points.values(), centre])
    spread = np.linalg.svd(offsets - offsets.mean(axis=0), compute_uv=False)
    if not spread[0] > 0.0:
        entries.fail(f'{path}.slender', 'a slender body needs two points on its line: named, or '
                                        'one and the centre of gravity')
    if spread[1] > 1e-9 * spread[0]:
        entries.fail(f'{path}.slender', 'points and centre of gravity of a slender body must be '
                                        'in one line')


def _check_across(entries: Entries, path: str, inertia: FloatArray) -> None:
    """A slender body has the same inertia about all axes across its line."""
    moments = np.linalg.eigvalsh(inertia)
    if moments[2] - moments[1] > 1e-6 * moments[2]:
        entries.fail(f'{path}.inertia', f'a slender body has the same moment about all axes across '
                                        f'its line, not {_text(moments)}')


_PARALLEL = 1e-6        # sine of the angle between directions that must differ


def read_joint(entries: Entries, name: str, value: dict[str, Any],
               bodies: Mapping[str, SpatialBody]) -> Joint:
    """Return the Joint of an entry that conforms to its schema; raises MechanismError.

    bodies: name -> SpatialBody, the ground among them.
    """
    path, kind = f'joints.{name}', JOINTS[value['kind']]
    names, offsets = read_offsets(entries, path, value, bodies)
    numbers = {key: value[key] for key in kind.schema.get('properties', ())
               if isinstance(value.get(key), int | float)}
    if kind.frames:
        frames = kind.frames(value)
    elif kind.axis:
        frames = _frames(entries, path, value, kind)
    else:
        frames = np.eye(3), np.eye(3)
    joint = Joint(name, kind.name, names, tuple(map(np.array, offsets)), frames, numbers,
                  kind.crosses)
    _check_slender(entries, path, joint, kind, bodies)
    if kind.rolls:
        _check_rolling(entries, path, joint)
    return joint


def _frames(entries: Entries, path: str, value: dict[str, Any],
            kind: JointKind) -> tuple[FloatArray, FloatArray]:
    """Return the frame of the joint on each body (3, 3)."""
    if kind.axis == 'common' and ('axis' in value) == ('axes' in value):
        entries.fail(path, 'must have one of axis and axes')
    key = 'axes' if 'axes' in value else 'axis'
    axes = value['axes'] if key == 'axes' else (value['axis'], value['axis'])
    for axis in axes:
        _direction(entries, f'{path}.{key}', axis)
    references = value.get('references')
    if references is not None:
        for axis, reference in zip(axes, references, strict=True):
            _direction(entries, f'{path}.references', reference)
            if np.linalg.norm(np.cross(unit(axis), unit(reference))) < _PARALLEL:
                entries.fail(f'{path}.references', f'{list(reference)} is along the axis')
    if kind.axis == 'two' and references is None:
        # The angle of the cross is 0 at the start: each axis is where the other reference is.
        turn = shortest(unit(axes[0]), unit(axes[1]))
        first = np.linalg.svd(np.array([unit(axes[0])]))[2][1]
        references = first, turn @ np.cross(unit(axes[0]), first)
    return frames_of(axes, references)


def _check_rolling(entries: Entries, path: str, joint: Joint) -> None:
    """A body rolls on the ground."""
    if joint.bodies[0] != GROUND:
        entries.fail(f'{path}.bodies', f'{joint.bodies[0]} must be {GROUND}: a body rolls on a '
                                       'plane of it, and is the second of both')


def _direction(entries: Entries, path: str, direction: Sequence[float]) -> None:
    if not np.linalg.norm(direction) > 0.0:
        entries.fail(path, f'{list(direction)} is no direction')


def _check_slender(entries: Entries, path: str, joint: Joint, kind: JointKind,
                   bodies: Mapping[str, SpatialBody]) -> None:
    """A slender body has no direction but its line."""
    slender = [name for name in joint.bodies if name != GROUND and bodies[name].slender]
    which = 'both' if len(slender) == 2 else 'first' if joint.bodies[0] in slender else 'second'
    if slender and which not in kind.slender:
        struts = [one.name for one in JOINTS.values() if one.axis and 'both' in one.slender]
        entries.fail(f'{path}.bodies', f'{slender[0]} is slender: it has no directions across its '
                                       f'line for a {kind.name} joint (two slender ones may have a '
                                       f'{" or ".join(struts)} one)')


def read_parts(entries: Entries, data: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return (bodies, joints, coordinates, constraints, forces), each by name."""
    bodies = entries.each('bodies', data['bodies'],
                          lambda name, value: read_body(entries, name, value))
    sections = sections_of(bodies)
    known = {GROUND: ground_body(data['ground'])} | sections | {
        name: body for name, body in bodies.items() if body.beam is None}
    joints = entries.each('joints', data['joints'],
                          lambda name, value: read_joint(entries, name, value, known))
    coordinates = _flat(entries.each(
        'coordinates', data['coordinates'], lambda name, value: tuple(
            with_keys(entries, f'coordinates.{name}', one, value)
            for one in COORDINATES[value['kind']].read(
                entries, f'coordinates.{name}', name, value, joints, known))).values())
    for one in coordinates.values():
        with entries.noted(f'coordinates.{one.name}'):
            _check_joint(entries, one, joints, known)
    coordinates |= _own_coordinates(joints, coordinates, known) | mode_coordinates(bodies)
    constraints = entries.each('constraints', data['constraints'], lambda name, value: CONSTRAINTS[
        value['kind']].read(entries, f'constraints.{name}', name, value, {}, known))
    pairs = entries.each('forces', data['forces'], lambda name, value: FORCES[value['kind']].read(
        entries, name, value, coordinates, {}, known))
    coordinates |= _flat(added for _, added in pairs.values())
    forces = {name: force for name, (force, _) in pairs.items()}
    forces |= (_joint_springs(joints, coordinates) | mode_springs(bodies)
               | stops_of(coordinates))
    return (bodies | sections, joints | section_joints(bodies), coordinates, constraints, forces)


def _flat(groups: Iterable[Iterable[Any]]) -> dict[str, Any]:
    return {one.name: one for group in groups for one in group}


def _check_joint(entries: Entries, coordinate: Coordinate, joints: Mapping[str, Joint],
                 bodies: Mapping[str, SpatialBody]) -> None:
    """A coordinate of a joint is one that its kind has."""
    if not coordinate.joint:
        return
    joint, path = joints[coordinate.joint], f'coordinates.{coordinate.name}.joint'
    if coordinate.kind not in JOINTS[joint.kind].coordinates:
        having = ', '.join(name for name, kind in JOINTS.items()
                           if coordinate.kind in kind.coordinates)
        entries.fail(path, f'{joint.name} is {joint.kind}, which has no {coordinate.kind}; that '
                           f'has {having}')
    slender = [name for name in joint.bodies if bodies[name].slender]
    if coordinate.kind == 'angle' and slender:
        entries.fail(path, f'{slender[0]} is slender: how it is turned about its line is left out')


def _own_coordinates(joints: Mapping[str, Joint], coordinates: Mapping[str, Coordinate],
                     bodies: Mapping[str, SpatialBody]) -> dict[str, Coordinate]:
    """Return the coordinates that joints need, for equations or springs, and the file lacks."""
    named = {(one.joint, one.kind) for one in coordinates.values()}
    return {one.name: one for joint in joints.values()
            for kind in dict.fromkeys((*JOINTS[joint.kind].own(bodies, joint),
                                       *JOINTS[joint.kind].springs(joint)))
            if (joint.name, kind) not in named
            for one in (Coordinate(f'{joint.name}.{kind}', kind,
                                   'rad' if kind == 'angle' else 'm', joint.name),)}


def _joint_springs(joints: Mapping[str, Joint],
                   coordinates: Mapping[str, Coordinate]) -> dict[str, Force]:
    """Return the springs and dampers that joints bring with them."""
    named = {(one.joint, one.kind): one.name for one in coordinates.values()}
    return {f'{joint.name}.{kind}.spring': Force(
        f'{joint.name}.{kind}.spring', 'spring_damper', named[joint.name, kind], **values)
        for joint in joints.values()
        for kind, values in JOINTS[joint.kind].springs(joint).items()}


def check_use(entries: Entries, bodies: Mapping[str, SpatialBody],
              joints: Mapping[str, Joint]) -> None:
    """Every body can move."""
    for name, body in bodies.items():
        with entries.noted(f'bodies.{name}'):
            if not body.pose and not any(name in joint.bodies for joint in joints.values()):
                entries.fail(f'bodies.{name}', 'has neither a joint nor a pose: where does it '
                                               'start?')
