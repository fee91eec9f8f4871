"""Bodies and joints of an MJCF file as links and joints of a tree.

A body moves by its joints one after the other; between them are links without mass.  The joints
of a body without springs, limits and users that are together one of several degrees of freedom
become that one: universal, spherical or planar.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, Inertial, Link, LinkJoint
from mb_import.notes import Notes
from mb_import.options import FIXED, FLOATING, ImportOptions
from mb_import.readers.mjcf.names import Names
from mb_import.readers.mjcf.poses import at, pose_of
from mb_import.readers.mjcf.records import BodyRecord, Compiled, JointRecord
from mb_import.readers.mjcf.shapes import shapes_of
from mb_model.space_api import Pose, rotation

_KINDS = {'hinge': 'revolute', 'slide': 'prismatic'}
_ALIGNED = 1e-9


@dataclass(frozen=True)
class Tree:
    """links, joints: of the Machine; scalar: index of a joint -> its name, of hinges and slides.

    carrier: index of a body -> name of the joint that moves it last.
    """

    links: dict[str, Link]
    joints: dict[str, LinkJoint]
    scalar: dict[int, str]
    carrier: dict[int, str]


def tree_of(compiled: Compiled, names: Names, options: ImportOptions, used: Collection[int],
            driven: Collection[int] | None, notes: Notes) -> Tree:
    """Return the Tree; used: joints that equalities, actuators or sensors refer to.

    driven: joints that actuators drive, None: there are no actuators.  Raises MechanismError.
    """
    tree = Tree({}, {}, {}, {})
    own = [[k for k, joint in enumerate(compiled.joints) if joint.body == b]
           for b in range(len(compiled.bodies))]
    moving = {b for b, joints in enumerate(own) if joints}
    for b, body in reversed(list(enumerate(compiled.bodies))):
        if b in moving:
            moving.add(body.parent)
    shapes = shapes_of(compiled, notes)
    loose = False
    carried: set[int] = set()        # bodies that a joint carries
    for b, body in enumerate(compiled.bodies[1:], 1):
        name = names.bodies[b]
        _note(body, name, notes)
        joints = own[b]
        if joints or body.parent in carried:
            carried.add(b)
        still_there = b not in carried and options.base != FLOATING
        tree.links[name] = Link(name, _inertial(body, name, still_there, notes), shapes.get(b, ()))
        if not body.parent and options.base:
            free = bool(joints) and compiled.joints[joints[0]].kind == 'free'
            if options.base == FLOATING and not joints and b in moving:
                loose = True
                _add(tree, b, LinkJoint(names.weld(b), 'free', (WORLD, name),
                                        (pose_of(body.pos, body.quat), still())))
                continue
            if options.base == FIXED and free:
                joints = []
            loose = loose or free
        _add_joints(tree, compiled, names, b, joints, used, driven, notes)
    if options.base == FLOATING and not loose:
        raise notes.error('import.base', f'{FLOATING}: each body of the world has a joint already')
    return tree


def _note(body: BodyRecord, name: str, notes: Notes) -> None:
    if body.lifted:
        notes.left_out(f'body {name}', f'gravcomp {body.lifted:g}: its whole weight acts here')
    if body.mocap:
        notes.changed(f'body {name}', 'mocap: it does not move here')


def _inertial(body: BodyRecord, name: str, still_there: bool, notes: Notes) -> Inertial | None:
    """Return the Inertial of a body; still_there: whether it never moves."""
    if body.missing and still_there:
        return None
    if body.missing:
        notes.left_out(f'body {name}', f'its inertia follows from {", ".join(body.missing)}, which '
                                       'cannot be read: it has no mass; give <inertial>')
        return None
    if not body.mass and not any(body.inertia):
        return None
    return Inertial(body.mass, np.array(body.centre), np.array(body.inertia).reshape(3, 3))


def _add(tree: Tree, body: int, joint: LinkJoint) -> None:
    tree.joints[joint.name] = joint
    tree.carrier[body] = joint.name


def _add_joints(tree: Tree, compiled: Compiled, names: Names, b: int, joints: Sequence[int],
                used: Collection[int], driven: Collection[int] | None, notes: Notes) -> None:
    """Add the joints of a body, and the links between them."""
    body = compiled.bodies[b]
    parent, child = names.bodies[body.parent], names.bodies[b]
    pose = pose_of(body.pos, body.quat)
    if not joints:
        _add(tree, b, LinkJoint(names.weld(b), 'weld', (parent, child), (pose, still())))
        return
    records = [compiled.joints[k] for k in joints]
    one = None if any(k in used for k in joints) else _joined(
        records, names.joints[joints[0]], (parent, child), pose)
    if one is not None:
        notes.changed(f'joints of body {child}', f'{", ".join(names.joints[k] for k in joints)}: '
                                                 f'together one {one.kind} joint {one.name}')
        _add(tree, b, one)
        return
    for k, record in zip(joints, records, strict=True):
        behind = child if k == joints[-1] else names.between(k)
        if behind != child:
            tree.links[behind] = Link(behind)
        if record.kind in _KINDS:
            tree.scalar[k] = names.joints[k]
        _add(tree, b, _joint(record, names.joints[k], (parent, behind), pose,
                             None if driven is None else k in driven, notes))
        parent, pose = behind, still()


def _joint(record: JointRecord, name: str, links: tuple[str, str], pose: Pose,
           actuated: bool | None, notes: Notes) -> LinkJoint:
    """Return a joint; pose: of the body in its parent where the joint is at its `ref`."""
    item = f'joint {name}'
    if record.higher:
        notes.left_out(item, 'powers of its stiffness or damping: the linear part is read')
    frames = pose.then(at(record.pos)), at(record.pos)
    if record.kind not in _KINDS:
        for key in ('stiffness', 'damping', 'friction', 'armature'):
            if getattr(record, key):
                notes.left_out(item, f'{key} {getattr(record, key):g} of a {record.kind} joint')
        if record.upper is not None:
            notes.left_out(item, f'range {record.upper:g} rad of a ball')
        return LinkJoint(name, 'free' if record.kind == 'free' else 'spherical', links, frames,
                         actuated=actuated)
    axis, kind = np.array(record.axis), _KINDS[record.kind]
    back = (Pose(np.zeros(3), rotation(-record.ref * axis)) if kind == 'revolute' else
            Pose(-record.ref * axis, np.eye(3)))
    return LinkJoint(
        name, kind, links, (frames[0].then(back), frames[1]), axis, drawn=record.ref,
        lower=-inf if record.lower is None else record.lower,
        upper=inf if record.upper is None else record.upper, effort=record.effort,
        stiffness=record.stiffness, rest=record.rest, damping=record.damping,
        friction=record.friction, armature=record.armature, actuated=actuated)


def _joined(records: Sequence[JointRecord], name: str, links: tuple[str, str],
            pose: Pose) -> LinkJoint | None:
    """Return the joint of several degrees of freedom that joints are together, None if none."""
    if not all(_plain(one) for one in records) or len(records) not in (2, 3):
        return None
    axes = [np.array(one.axis) for one in records]
    if any(abs(axes[k] @ axes[k + 1]) > _ALIGNED for k in range(len(axes) - 1)):
        return None
    kinds = [one.kind for one in records]
    frames = pose.then(at(records[-1].pos)), at(records[-1].pos)
    if kinds == ['slide', 'slide', 'hinge']:
        if abs(axes[0] @ axes[2]) > _ALIGNED:
            return None
        return LinkJoint(name, 'planar', links, frames, axes[2])
    if kinds.count('hinge') < len(kinds) or any(
            np.abs(np.subtract(one.pos, records[0].pos)).max() > _ALIGNED for one in records):
        return None
    if len(kinds) == 2:
        return LinkJoint(name, 'universal', links, frames, axes[0], axes[1])
    return LinkJoint(name, 'spherical', links, frames)


def _plain(record: JointRecord) -> bool:
    """Whether a joint leaves its motion alone, from 0 on."""
    return (record.kind in _KINDS and record.lower is None and record.effort is None
            and not any((record.ref, record.stiffness, record.damping, record.friction,
                         record.armature, record.higher)))
