"""From the mapping in a mechanism file with `dimension: 3` to its validated Description."""

from mb_model.mechanism_file.spatial_bodies import ground_body, read_body
from mb_model.mechanism_file.spatial_flexible import (
    mode_coordinates,
    mode_springs,
    section_joints,
    sections_of,
)
from mb_model.mechanism_file.spatial_joints import read_joint
from mb_model.registry.constraints import CONSTRAINTS
from mb_model.registry.spatial import COORDINATES, FORCES, JOINTS
from mb_model.space.body import GROUND
from mb_model.space.coordinate import SpatialCoordinate


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
    forces = {name: force for name, (force, _) in found.items()} | mode_springs(bodies)
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


def check_use(entries, bodies, joints):
    """Every body can move."""
    for name, body in bodies.items():
        with entries.noted(f'bodies.{name}'):
            if not body.pose and not any(name in joint.bodies for joint in joints.values()):
                entries.fail(f'bodies.{name}', 'has neither a joint nor a pose: where does it '
                                               'start?')


