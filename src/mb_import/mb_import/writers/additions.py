"""What a mechanism has beside bodies and joints, in a Machine: forces on joints, sums, limits."""

from dataclasses import replace

from mb_import.machine import LinkJoint, Machine, Relation
from mb_import.notes import Notes
from mb_model import Mechanism

_OF_JOINTS = 'slider', 'welded_angle'        # constraints that joints stand for


def with_keys(mechanism: Mechanism, machine: Machine, notes: Notes) -> Machine:
    """Return a Machine with the limits and armatures of its joints."""
    joints = dict(machine.joints)
    for name, one in mechanism.described.coordinates.items():
        joint = joints.get(_joint_of(mechanism, machine, name))
        if joint is not None:
            joints[joint.name] = replace(joint, lower=one.lower, upper=one.upper,
                                         armature=one.armature)
        elif one.armature:
            notes.left_out(f'coordinates.{name}', f'armature {one.armature:g}: it is of no joint '
                                                  'of the tree')
    return replace(machine, joints=joints)


def with_forces(mechanism: Mechanism, machine: Machine, notes: Notes) -> Machine:
    """Return a Machine with the springs, dampers and friction of its joints; a note for others."""
    joints = dict(machine.joints)
    for name, force in mechanism.described.forces.items():
        joint = joints.get(_joint_of(mechanism, machine, getattr(force, 'coordinate', '')))
        if joint is not None and force.kind == 'spring_damper':
            if joint.stiffness and force.stiffness and joint.rest != force.rest:
                notes.left_out(f'forces.{name}', f'a second spring on {joint.name}')
                continue
            joints[joint.name] = replace(
                joint, stiffness=joint.stiffness + force.stiffness,
                rest=force.rest if force.stiffness else joint.rest,
                damping=joint.damping + force.viscous)
        else:
            notes.left_out(f'forces.{name}', f'{force.kind}: of forces, springs and dampers on '
                                             'joints that close no loop are written')
    if mechanism.described.hydraulics is not None:
        notes.left_out('hydraulics', 'no description has such a circuit')
    return replace(machine, joints=joints)


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
            joint = _joint_of(mechanism, machine, coordinate)
            if not joint:
                raise notes.error(f'constraints.{name}', f'{coordinate} is of no joint of the tree')
            terms[joint] = factor
        relations[name] = Relation(name, terms, one.sum)
    return replace(machine, relations=relations)


def _joint_of(mechanism: Mechanism, machine: Machine, coordinate: str) -> str:
    """Return the joint of the tree that has a coordinate, '' for none."""
    described = mechanism.described.coordinates.get(coordinate)
    name = coordinate if mechanism.dimension == 2 else getattr(described, 'joint', '')
    joint: LinkJoint | None = machine.joints.get(name)
    kinds = {'angle': 'revolute', 'relative_angle': 'revolute', 'slider': 'prismatic'}
    if described is None or joint is None or joint.kind != kinds.get(described.kind):
        return ''
    return name
