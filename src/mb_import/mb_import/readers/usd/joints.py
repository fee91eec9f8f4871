"""Joints of UsdPhysics: frames, kinds, limits, drives."""

from dataclasses import dataclass, replace
from math import inf, isfinite, radians
from typing import Any

import numpy as np

from mb_import.machine import WORLD, Drive, LinkJoint
from mb_import.readers.usd.bodies import Body, body_path
from mb_import.readers.usd.degrees import Freedom, freedom_of
from mb_import.readers.usd.stage import Stage
from mb_import.readers.usd.unread import note_unread_joint
from mb_import.readers.usd.values import number, turn, value_of, vector
from mb_model.space_api import Pose, rotation, rotation_vector


@dataclass(frozen=True)
class ReadJoint:
    """A joint, whether it is left out of the articulation, and its drive, if it has one."""

    joint: LinkJoint
    prim: Any
    closes: bool
    drive: Drive | None = None


def read_joint(prim: Any, stage: Stage, bodies: dict[str, Body], name: str) -> ReadJoint | None:
    """Return a joint of a stage, None with a note if it ties nothing; raises MechanismError."""
    item, notes = f'joint {name}', stage.notes
    if value_of(prim, 'physics:jointEnabled') is False:
        notes.left_out(item, 'is not enabled')
        return None
    sides = [_side(prim, index, stage, bodies, item) for index in (0, 1)]
    links = sides[0][0], sides[1][0]
    if links[0] == links[1]:
        notes.left_out(item, f'ties {links[0]} to itself')
        return None
    freedom = freedom_of(prim, stage, item)
    if freedom is None:
        return None
    frames = sides[0][1], sides[1][1]
    # Where the second frame is in the first, as drawn
    between = sides[0][2].inverse().then(sides[1][2])
    drawn, gap, tilt = _drawn(freedom, between)
    joint = LinkJoint(name, freedom.kind, links, frames, freedom.axis, freedom.second_axis,
                      drawn=drawn, lower=freedom.lower, upper=freedom.upper,
                      length=freedom.length)
    closes = value_of(prim, 'physics:excludeFromArticulation') is True
    if (gap > 1e-4 or tilt > 1e-3) and freedom.kind != 'distance':
        notes.changed(item, f'its frames are {gap:.6g} m and {tilt:.3g} rad apart as drawn: they '
                            'are taken to meet')
    joint, drive = _driven(joint, prim, stage)
    note_unread_joint(prim, stage, item)
    return ReadJoint(joint, prim, closes or freedom.kind == 'distance', drive)


def _side(prim: Any, index: int, stage: Stage, bodies: dict[str, Body],
          item: str) -> tuple[str, Pose, Pose]:
    """Return the link of a side of a joint, the joint's frame in it, and in the world as drawn."""
    targets = prim.GetRelationship(f'physics:body{index}').GetTargets()
    if len(targets) > 1:
        raise stage.notes.error(item, f'body{index} has several targets, expected one')
    local = vector(prim, f'physics:localPos{index}', stage)
    at = np.zeros(3) if local is None else local
    turned = turn(prim, f'physics:localRot{index}', stage)
    if not targets:
        world = Pose(stage.turn @ (stage.metre * at), stage.turn @ turned)
        return WORLD, world, world
    target = stage.usd.GetPrimAtPath(targets[0])
    if not target:
        raise stage.notes.error(item, f'there is no body {targets[0]}')
    pose, scales = stage.pose(target)
    world = pose.then(Pose(scales * at, turned))
    body = bodies.get(body_path(target, bodies))
    if body is None:
        return WORLD, world, world
    return body.name, body.pose.inverse().then(world), world


def _drawn(freedom: Freedom, between: Pose) -> tuple[float, float, float]:
    """Return the coordinate of a joint as drawn, and how far it is from being closed [m, rad]."""
    axis, moved, turned, value = freedom.axis, between.at, between.turn, 0.0
    if axis is not None and freedom.kind in ('prismatic', 'cylindrical'):
        value = float(axis @ moved)
        moved = moved - value * axis
    if axis is not None and freedom.kind in ('revolute', 'cylindrical'):
        value = float(axis @ rotation_vector(turned))
        turned = rotation(-value * axis) @ turned
    holds = freedom.kind in ('revolute', 'cylindrical', 'prismatic', 'weld')
    return (value, float(np.linalg.norm(moved)),
            float(np.linalg.norm(rotation_vector(turned))) if holds else 0.0)


def _driven(joint: LinkJoint, prim: Any, stage: Stage) -> tuple[LinkJoint, Drive | None]:
    """Return a joint with what drives and solvers say of it, and its drive."""
    turns = joint.kind == 'revolute'
    squared = stage.kilogram * (stage.metre ** 2 if turns else 1.0)
    if joint.is_scalar:
        armature = next((number(prim, name, stage, 0.0) for name in (
            'physxJoint:armature', 'newton:armature', 'mjc:armature')
            if prim.GetAttribute(name)), 0.0)
        velocity = number(prim, 'physxJoint:maxJointVelocity', stage, 0.0)
        joint = replace(joint, armature=squared * max(armature, 0.0), velocity=(
            radians(velocity) if turns else stage.metre * velocity) if velocity > 0.0 else None)
    names = [schema.partition(':')[2] for schema in prim.GetAppliedSchemas()
             if schema.startswith('PhysicsDriveAPI:')]
    if not names:
        return joint, None
    if not joint.is_scalar or len(names) > 1:
        stage.notes.left_out(f'joint {joint.name}', f'drives of {", ".join(names)}: a drive is of '
                                                    'one coordinate')
        return joint, None
    at = f'drive:{names[0]}:physics'
    stiff, damped = (number(prim, f'{at}:{what}', stage, 0.0) for what in ('stiffness', 'damping'))
    limit = number(prim, f'{at}:maxForce', stage, inf, infinite=True)
    effort = (None if not isfinite(limit) or limit < 0.0
              else limit * stage.kilogram * stage.metre ** (2 if turns else 1))
    if stiff or damped:
        stage.notes.left_out(f'drive of {joint.name}', 'its gains are of its controller, not of '
                                                       'the machine')
    command = 'position' if stiff else 'velocity' if damped else 'effort'
    return (replace(joint, effort=effort, actuated=True),
            Drive(f'{joint.name}_{command}', {joint.name: 1.0}, (command,)))

