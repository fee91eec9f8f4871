"""What a mechanism has beside bodies and joints, in a Machine: forces, sums, limits."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mb_import.machine import WORLD, Drive, LinkJoint, Machine, Relation, Strut
from mb_import.notes import Notes
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_OF_JOINTS = 'slider', 'welded_angle'        # constraints that joints stand for
_WRITTEN = 'spring_damper', 'friction'       # kinds of forces


def with_keys(mechanism: Mechanism, machine: Machine, notes: Notes) -> Machine:
    """Return a Machine with the limits and armatures of its joints."""
    joints = dict(machine.joints)
    for name, one in mechanism.described.coordinates.items():
        joint = joints.get(joint_of(mechanism, machine, name))
        if joint is not None:
            joints[joint.name] = replace(joint, lower=one.lower, upper=one.upper,
                                         armature=one.armature)
        elif one.armature:
            notes.left_out(f'coordinates.{name}', f'armature {one.armature:g}: it is of no joint '
                                                  'of the tree')
    return replace(machine, joints=joints)


def with_forces(mechanism: Mechanism, machine: Machine, names: Mapping[str, str],
                notes: Notes) -> Machine:
    """Return a Machine with springs, dampers and friction, of joints and between points.

    names: body -> its link.  A note for other forces, and for what friction does near rest.
    """
    joints, struts = dict(machine.joints), {}
    for name, force in mechanism.described.forces.items():
        item, coordinate = f'forces.{name}', getattr(force, 'coordinate', '')
        joint = joints.get(joint_of(mechanism, machine, coordinate))
        ends = _ends(mechanism, coordinate, names)
        if force.kind not in _WRITTEN or (joint is None and ends is None):
            notes.left_out(item, f'{force.kind}: of forces, springs, dampers and friction between '
                                 'points and on joints that close no loop are written')
            continue
        if force.kind == 'friction':
            notes.changed(item, 'Coulomb friction and damping alone: what it does near rest is '
                                'left to the simulator')
        if joint is None and ends is not None:
            struts[name] = Strut(name, *ends, force.stiffness, force.rest, force.viscous,
                                 force.coulomb)
        elif joint is not None:
            joints[joint.name] = _with_force(joint, force, item, notes)
    if mechanism.described.hydraulics is not None:
        notes.left_out('hydraulics', 'no description has such a circuit')
    return replace(machine, joints=joints, struts=struts)


def _with_force(joint: LinkJoint, force: Any, item: str, notes: Notes) -> LinkJoint:
    if joint.stiffness and force.stiffness and joint.rest != force.rest:
        notes.left_out(item, f'a second spring on {joint.name}')
        return joint
    return replace(joint, stiffness=joint.stiffness + force.stiffness,
                   rest=force.rest if force.stiffness else joint.rest,
                   damping=joint.damping + force.viscous,
                   friction=joint.friction + force.coulomb)


def _ends(mechanism: Mechanism, coordinate: str, names: Mapping[str, str]
          ) -> tuple[tuple[str, str], tuple[FloatArray, FloatArray]] | None:
    """Return links and points (3) in them whose distance a coordinate is, None of others."""
    one = mechanism.described.coordinates.get(coordinate)
    if one is None or one.kind != 'distance':
        return None
    if one.bodies:
        ends = [(names[body], np.array(at, float))
                for body, at in zip(one.bodies, one.offsets, strict=True)]
    else:
        ends = [_end(mechanism, point, names) for point in one.points]
    return (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1])


def _end(mechanism: Mechanism, point: str, names: Mapping[str, str]) -> tuple[str, FloatArray]:
    """Return link and position (3) in it of a point in the plane."""
    for name, body in mechanism.described.bodies.items():
        if point in body.points:
            return names[name], np.array([*body.points[point], 0.0])
    return WORLD, np.array([*mechanism.described.points[point].position, 0.0])


def relations_of(mechanism: Mechanism, machine: Machine, notes: Notes) -> Machine:
    """Return a Machine with the linear constraints of a mechanism; raises MechanismError."""
    relations = {}
    for name, one in mechanism.described.constraints.items():
        if mechanism.dimension == 2 and one.kind in _OF_JOINTS:
            continue
        if one.kind != 'linear':
            raise notes.error(f'constraints.{name}', f'{one.kind}: of constraints, sums of joints '
                                                     'are written')
        terms = {}
        for coordinate, factor in one.terms.items():
            joint = joint_of(mechanism, machine, coordinate)
            if not joint:
                raise notes.error(f'constraints.{name}', f'{coordinate} is of no joint of the tree')
            terms[joint] = factor
        relations[name] = Relation(name, terms, one.sum)
    return replace(machine, relations=relations)


def drives_of(mechanism: Mechanism, machine: Machine, notes: Notes) -> dict[str, Drive]:
    """Return the drives by the name of their coordinate; one of no joint of the tree has none."""
    drives = {}
    for name in mechanism.drives:
        joint = joint_of(mechanism, machine, name)
        if joint:
            drives[name] = Drive(name, {joint: 1.0})
        else:
            notes.left_out(f'drives {name}', 'it drives no joint of the tree')
    return drives


def joint_of(mechanism: Mechanism, machine: Machine, coordinate: str) -> str:
    """Return the joint of the tree that has a coordinate, '' for none."""
    described = mechanism.described.coordinates.get(coordinate)
    name = coordinate if mechanism.dimension == 2 else getattr(described, 'joint', '')
    joint: LinkJoint | None = machine.joints.get(name)
    kinds = {'angle': 'revolute', 'relative_angle': 'revolute', 'slider': 'prismatic'}
    if described is None or joint is None or joint.kind != kinds.get(described.kind):
        return ''
    return name
