"""From the mapping in a mechanism file with `dimension: 3` to its validated Description."""

import numpy as np

from mb_model.forces.acting import Force
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.spatial_bodies import ground_body, read_body
from mb_model.mechanism_file.spatial_flexible import (
    mode_coordinates,
    mode_springs,
    section_joints,
    sections_of,
)
from mb_model.registry.constraints import CONSTRAINTS
from mb_model.registry.joints import COORDINATES, JOINTS
from mb_model.registry.spatial import FORCES
from mb_model.space.body import GROUND
from mb_model.space.coordinate import SpatialCoordinate
from mb_model.space.joint import Joint, frames_of
from mb_model.space.rotation import shortest, unit

_PARALLEL = 1e-6        # sine of the angle between directions that must differ


def read_joint(entries: Entries, name: str, value, bodies) -> Joint:
    """Return the Joint of an entry that conforms to its schema; raises MechanismError.

    bodies: name -> SpatialBody, the ground among them.
    """
    path, kind = f'joints.{name}', JOINTS[value['kind']]
    names = entries.names(f'{path}.bodies', value['bodies'], bodies, 'body')
    places = _places(entries, path, value['at'], names, bodies)
    numbers = {key: value[key] for key in kind.schema.get('properties', ())
               if isinstance(value.get(key), int | float)}
    if kind.frames:
        frames = kind.frames(value)
    elif kind.axis:
        frames = _frames(entries, path, value, kind)
    else:
        frames = np.eye(3), np.eye(3)
    joint = Joint(name, kind.name, names, places, frames, numbers, kind.crosses)
    _check_slender(entries, path, joint, kind, bodies)
    if kind.rolls:
        _check_rolling(entries, path, joint)
    return joint


def _places(entries, path, at, names, bodies):
    """Return the place on each body (3)."""
    pair = (at, at) if isinstance(at, str) else at
    places = []
    for k, (name, one) in enumerate(zip(names, pair, strict=True)):
        if isinstance(one, str):
            where = f'{path}.at' if isinstance(at, str) else f'{path}.at[{k}]'
            entries.one_of(where, one, bodies[name].points, f'point of {name}')
        places.append(np.array(bodies[name].place(one)))
    return tuple(places)


def _frames(entries, path, value, kind):
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


def _check_rolling(entries, path, joint):
    """A body rolls on the ground."""
    if joint.bodies[0] != GROUND:
        entries.fail(f'{path}.bodies', f'{joint.bodies[0]} must be {GROUND}: a body rolls on a '
                                       'plane of it, and is the second of both')


def _direction(entries, path, direction):
    if not np.linalg.norm(direction) > 0.0:
        entries.fail(path, f'{list(direction)} is no direction')


def _check_slender(entries, path, joint, kind, bodies):
    """A slender body has no direction but its line."""
    slender = [name for name in joint.bodies if name != GROUND and bodies[name].slender]
    which = 'both' if len(slender) == 2 else 'first' if joint.bodies[0] in slender else 'second'
    if slender and which not in kind.slender:
        struts = [one.name for one in JOINTS.values() if one.axis and 'both' in one.slender]
        entries.fail(f'{path}.bodies', f'{slender[0]} is slender: it has no directions across its '
                                       f'line for a {kind.name} joint (two slender ones may have a '
                                       f'{" or ".join(struts)} one)')


def read_parts(entries, data):
    """Return (bodies, joints, coordinates, constraints, forces), each by name."""
    bodies = entries.each('bodies', data['bodies'],
                          lambda name, value: read_body(entries, name, value))
    sections = sections_of(bodies)
    known = {GROUND: ground_body(data['ground'])} | sections | {
        name: body for name, body in bodies.items() if body.beam is None}
    joints = entries.each('joints', data['joints'],
                          lambda name, value: read_joint(entries, name, value, known))
    coordinates = _flat(entries.each(
        'coordinates', data['coordinates'], lambda name, value: COORDINATES[value['kind']].read(
            entries, f'coordinates.{name}', name, value, joints, known)).values())
    for one in coordinates.values():
        with entries.noted(f'coordinates.{one.name}'):
            _check_joint(entries, one, joints, known)
    coordinates |= _own_coordinates(joints, coordinates, known) | mode_coordinates(bodies)
    constraints = entries.each(
        'constraints', data['constraints'], lambda name, value: CONSTRAINTS[value['kind']].read(
            entries, f'constraints.{name}', name, value, {}, known))
    found = entries.each('forces', data['forces'], lambda name, value: FORCES[value['kind']].read(
        entries, name, value, coordinates, known))
    coordinates |= _flat(added for _, added in found.values())
    forces = {name: force for name, (force, _) in found.items()}
    forces |= _joint_springs(joints, coordinates) | mode_springs(bodies)
    return (bodies | sections, joints | section_joints(bodies), coordinates, constraints, forces)


def _flat(groups):
    return {one.name: one for group in groups for one in group}


def _check_joint(entries, coordinate, joints, bodies):
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


def _own_coordinates(joints, coordinates, bodies):
    """Return the coordinates that equations of joints need and the file does not name."""
    named = {(one.joint, one.kind) for one in coordinates.values()}
    return {one.name: one for joint in joints.values()
            for kind in JOINTS[joint.kind].own(bodies, joint) if (joint.name, kind) not in named
            for one in (SpatialCoordinate(f'{joint.name}.{kind}', kind,
                                          'rad' if kind == 'angle' else 'm', joint.name),)}


def _joint_springs(joints, coordinates):
    """Return the springs and dampers that joints bring with them."""
    named = {(one.joint, one.kind): one.name for one in coordinates.values()}
    return {f'{joint.name}.{kind}.spring': Force(
        f'{joint.name}.{kind}.spring', 'spring_damper', named[joint.name, kind], **values)
        for joint in joints.values()
        for kind, values in JOINTS[joint.kind].springs(joint).items()}


def check_use(entries, bodies, joints):
    """Every body can move."""
    for name, body in bodies.items():
        with entries.noted(f'bodies.{name}'):
            if not body.pose and not any(name in joint.bodies for joint in joints.values()):
                entries.fail(f'bodies.{name}', 'has neither a joint nor a pose: where does it '
                                               'start?')
