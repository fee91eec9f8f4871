"""The mapping of a mechanism file from a Machine."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mb_import.drawing import drawn_poses
from mb_import.machine import WORLD, LinkJoint, Machine
from mb_import.mapping.bodies import body_entry
from mb_import.mapping.friction import slip_velocities
from mb_import.mapping.joints import (
    COORDINATES,
    coordinate_entries,
    force_entries,
    joint_entry,
    listed,
    strut_entries,
)
from mb_import.mapping.lumps import Lumps, lumps_of
from mb_import.mapping.names import identifiers
from mb_import.mapping.sensors import actuated_joints, encoder_entries, link_sensor_entries
from mb_import.named_frames import named_frame
from mb_import.notes import Notes
from mb_import.options import ImportOptions, Loop
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, Pose

GRAVITY = 0.0, 0.0, -9.81
_MOST_TERMS = 3          # of a linear constraint


def mechanism_mapping(machine: Machine, options: ImportOptions, notes: Notes) -> dict[str, Any]:
    """Return the mapping of a mechanism file with `dimension: 3` from a Machine.

    Raises MechanismError for what no mechanism is, and for options that name what is not there.
    """
    lumps = lumps_of(machine)
    joints = {name: joint for name, joint in _all_joints(machine, options, notes).items()
              if _moves(joint, name in machine.joints, lumps, notes)}
    names = identifiers(joints)
    bodies = identifiers((root for root in lumps.by_root if root != WORLD), (GROUND,))
    raw: dict[str, Any] = {
        'name': identifiers([machine.name])[machine.name], 'dimension': 3,
        'gravity': _gravity(machine, options, notes),
        'bodies': _bodies(machine, lumps, bodies, options, notes)}
    entries = {names[name]: joint_entry(joint, lumps, bodies | {WORLD: GROUND})
               for name, joint in joints.items()}
    raw['joints'] = {name: entry for name, entry in entries.items() if entry is not None}
    raw['coordinates'], coordinates = _coordinates(machine, joints, names, bodies)
    raw['constraints'] = _constraints(machine, coordinates, notes)
    slip = slip_velocities(machine)
    raw['forces'] = {name: entry for key, joint in joints.items()
                     for name, entry in force_entries(
                         joint, names[key], slip.get(key, 0.0), notes).items()}
    for strut, ours in zip(machine.struts.values(),
                           identifiers(machine.struts, raw['forces']).values(), strict=True):
        raw['forces'] |= strut_entries(strut, lumps, bodies | {WORLD: GROUND}, ours, notes)
    raw['drives'] = [coordinates[name] for name in actuated_joints(machine)
                     if name in coordinates]
    raw['sensors'] = encoder_entries(machine, lumps, coordinates, notes) | link_sensor_entries(
        machine, lumps, bodies, joints, names, notes)
    encoders = [name for name, one in raw['sensors'].items() if one['kind'].endswith('_encoder')]
    raw['sensor_groups'] = {'encoders': encoders} if encoders else {}
    raw['origin'] = {'names': {'links': bodies, 'joints': names}}
    return {key: value for key, value in raw.items() if value not in ({}, [])}


def _all_joints(machine: Machine, options: ImportOptions, notes: Notes) -> dict[str, LinkJoint]:
    """Return joints and closures of a machine, and the loops of its options."""
    loops = {}
    for name, loop in options.loops.items():
        if name in machine.joints or name in machine.closures:
            raise notes.error(f'import.loops.{name}', 'the description has a joint of this name')
        links, frames = zip(*(named_frame(one, machine.links, machine.frames, notes,
                                          f'import.loops.{name}')
                              for one in loop.frames), strict=True)
        poses = tuple(frame.then(Pose(np.array(at), np.eye(3)))
                      for frame, at in zip(frames, loop.at, strict=True))
        axis = np.array(loop.axis) / np.linalg.norm(loop.axis)
        loops[name] = LinkJoint(
            name, loop.kind, links, poses,
            axis if loop.kind in COORDINATES or loop.kind == 'in_line' else None,
            _second_axis(loop, f'import.loops.{name}', notes) if loop.kind == 'universal' else None)
    return {**machine.joints, **machine.closures, **loops}


def _second_axis(loop: Loop, item: str, notes: Notes) -> FloatArray:
    """Return the second axis (3) of a universal joint: as said, else along y, or z where it is the
    first one that is along y.
    """
    given = loop.second_axis
    if given is None:
        along_y = abs(loop.axis[1]) > max(abs(loop.axis[0]), abs(loop.axis[2]))
        given = (0.0, 0.0, 1.0) if along_y else (0.0, 1.0, 0.0)
        notes.guessed(item, f'its second axis is taken along {"z" if along_y else "y"} of '
                            f'{loop.frames[1]}; second_axis says otherwise')
    return np.array(given) / np.linalg.norm(given)


def _moves(joint: LinkJoint, in_tree: bool, lumps: Lumps, notes: Notes) -> bool:
    """Whether a joint ties two bodies; a closure within one body is left out, with a note."""
    if not lumps.moves(joint) and not in_tree:
        notes.left_out(f'joint {joint.name}', f'{" and ".join(joint.links)} are one body, as welds '
                                              'hold them together')
    return lumps.moves(joint)


def _gravity(machine: Machine, options: ImportOptions, notes: Notes) -> list[float]:
    if options.gravity is not None:
        return list(options.gravity)
    if machine.gravity is not None:
        return listed(machine.gravity)
    notes.guessed('gravity', f'{list(GRAVITY)} m/s^2, which the description does not say')
    return list(GRAVITY)


def _bodies(machine: Machine, lumps: Lumps, names: Mapping[str, str], options: ImportOptions,
            notes: Notes) -> dict[str, Any]:
    """Return the entries of all bodies, at the poses near which the machine starts."""
    scalar = [name for name, joint in machine.joints.items() if joint.is_scalar]
    for name in options.pose:
        if name not in scalar:
            raise notes.error(f'import.pose.{name}', 'no joint of the tree with one coordinate, '
                                                     f'expected one of {", ".join(scalar)}')
    poses = drawn_poses(machine, options.pose)
    kinematic = all(link.inertial is None for link in machine.links.values())
    if kinematic:
        notes.left_out('masses', 'no link has an inertial: kinematics can be computed, dynamics '
                                 'not')
    return {ours: body_entry(lumps.by_root[root], machine, poses[root], options.repairs, notes,
                             kinematic) for root, ours in names.items()}


def _coordinates(machine: Machine, joints: Mapping[str, LinkJoint], names: Mapping[str, str],
                 bodies: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return (entries of coordinates, joint -> its coordinate, of joints with a single one).

    Closures have one where something is said about it.
    """
    entries: dict[str, Any] = {}
    single = {}
    for name, joint in joints.items():
        ours = names[name]
        if joint.kind == 'free':
            body = bodies[joint.links[1]]
            entries |= {f'{body}_position': {'kind': 'position', 'body': body},
                        f'{body}_turn': {'kind': 'orientation', 'body': body}}
        elif name in machine.joints or _is_needed(joint, machine):
            entries |= coordinate_entries(joint, ours)
            if joint.is_scalar:
                single[name] = ours
    return entries, single


def _is_needed(joint: LinkJoint, machine: Machine) -> bool:
    """Whether anything is said about the coordinate of a closure."""
    named = {*(name for one in machine.relations.values() for name in one.terms),
             *(name for one in machine.drives.values() for name in one.terms),
             *(one.joint for one in machine.sensors.values())}
    return joint.is_scalar and (joint.name in named or bool(joint.actuated) or any(
        (joint.stiffness, joint.damping, joint.friction, joint.armature)))


def _constraints(machine: Machine, coordinates: Mapping[str, str],
                 notes: Notes) -> dict[str, dict[str, Any]]:
    """Return relations of coordinates as linear constraints."""
    constraints = {}
    names = identifiers(machine.relations)
    for name, relation in machine.relations.items():
        missing = _missing(relation.terms, coordinates)
        if missing or len(relation.terms) > _MOST_TERMS:
            notes.left_out(f'relation {name}', f'{missing} has no coordinate' if missing else
                           f'of {len(relation.terms)} coordinates, expected at most {_MOST_TERMS}')
            continue
        constraints[names[name]] = {
            'kind': 'linear', 'sum': float(relation.total),
            'terms': {coordinates[joint]: float(factor)
                      for joint, factor in relation.terms.items()}}
    return constraints


def _missing(terms: Iterable[str], coordinates: Mapping[str, str]) -> str:
    return ', '.join(name for name in terms if name not in coordinates)
