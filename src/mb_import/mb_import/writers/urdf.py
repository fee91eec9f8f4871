"""URDF of a Machine: its tree, in which the frame of a link lies at the joint that holds it.

What closes loops is no URDF: loops_yaml is a mechanism file that extends it, with pairs of frames,
which are links without mass, and what URDF lacks.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, Drive, Link, LinkJoint, Machine, Shape
from mb_import.notes import Notes
from mb_import.writers.sensor_elements import sensor_elements
from mb_import.writers.text import Element, add, moments, text_of, whole, xyz_rpy
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose, across

GREATEST = '1e9'            # effort, speed and reach that URDF asks for and machines do not know
_TYPES = {'weld': 'fixed', 'prismatic': 'prismatic', 'free': 'floating', 'spherical': 'spherical'}
_LOOPS = 'spherical', 'revolute', 'cylindrical', 'prismatic', 'universal', 'weld'


def machine_urdf(machine: Machine, notes: Notes) -> str:
    """Return the text; raises MechanismError for joints and relations that URDF does not have."""
    machine = _at_joints(machine, notes)
    root = ElementTree.Element('robot', name=machine.name)
    add(root, 'link', name=WORLD)
    for link in machine.links.values():
        element = add(root, 'link', name=link.name)
        _fill(element, link)
    for joint in machine.joints.values():
        _add_joint(root, joint, machine, notes)
    for closure in machine.closures.values():
        for k, (body, frame) in enumerate(zip(closure.links, _loop_frames(closure), strict=True)):
            name = f'{closure.name}_{k}'
            add(root, 'link', name=name)
            _add_holding(root, f'{name}_fixed', 'fixed', (body, name), frame)
    for sensor, element in sensor_elements(machine, notes):
        add(root, 'gazebo', reference=sensor.joint or sensor.link).append(element)
    for drive in machine.drives.values():
        _add_transmission(root, drive)
    for name in machine.struts:
        notes.left_out(f'forces.{name}', 'a spring between points: URDF has none')
    return whole(root, notes.notes)


def loops_yaml(machine: Machine, file: str, notes: Notes) -> dict[str, Any]:
    """Return the mapping of the mechanism file that extends a URDF by its loops; file: its name.

    Raises MechanismError for loops that no section `import` has.
    """
    loops = {}
    for closure in machine.closures.values():
        if closure.kind not in _LOOPS:
            raise notes.error(f'joints.{closure.name}', f'{closure.kind}: loops beside a URDF are '
                                                        f'closed by one of {", ".join(_LOOPS)}')
        loops[closure.name] = {'kind': closure.kind,
                               'frames': [f'{closure.name}_0', f'{closure.name}_1']} | (
                                   {'second_axis': [0.0, 1.0, 0.0]} if closure.kind == 'universal'
                                   else {})
    section: dict[str, Any] = {'loops': loops} if loops else {}
    if machine.gravity is not None:
        section['gravity'] = [float(one) for one in machine.gravity]
    pose = {name: float(joint.drawn) for name, joint in machine.joints.items()
            if joint.is_scalar and joint.drawn}
    if pose:
        section['pose'] = pose
    return {'extends': file, 'import': section}


def _loop_frames(closure: LinkJoint) -> tuple[Pose, Pose]:
    """Return the frames of a closure with its axis along z; the second axis along y."""
    first, second = closure.frames
    if closure.axis is None:
        return first, second
    if closure.kind == 'universal' and closure.second_axis is not None:
        z = across(closure.second_axis)
        other = np.column_stack([np.cross(closure.second_axis, z), closure.second_axis, z])
    else:
        other = _along_z(closure.axis)
    return (first.then(Pose(np.zeros(3), _along_z(closure.axis))),
            second.then(Pose(np.zeros(3), other)))


def _along_z(axis: FloatArray) -> FloatArray:
    """Return axes as columns (3, 3) whose z is an axis."""
    x = across(axis)
    return np.column_stack([x, np.cross(axis, x), axis])


def _at_joints(machine: Machine, notes: Notes) -> Machine:
    """Return a Machine whose joints are where the frames of their children are.

    A universal joint is two hinges with a link without mass between.
    """
    moved: dict[str, Pose] = {WORLD: still()}        # link -> its old frame in the new one
    links: dict[str, Link] = {}
    joints: dict[str, LinkJoint] = {}
    for joint in machine.joints.values():
        parent, child = joint.links
        first = moved[parent].then(joint.frames[0])
        moved[child] = joint.frames[1].inverse()
        here = replace(joint, frames=(first, still()))
        if joint.kind == 'universal':
            cross = f'{joint.name}_cross'
            links[cross] = Link(cross)
            joints[f'{joint.name}_first'] = LinkJoint(
                f'{joint.name}_first', 'revolute', (parent, cross), (first, still()), joint.axis)
            here = LinkJoint(f'{joint.name}_second', 'revolute', (cross, child),
                             (still(), still()), joint.second_axis)
        joints[here.name] = here
        links[child] = _moved_link(machine.links[child], moved[child])
    closures = {name: replace(one, frames=(moved[one.links[0]].then(one.frames[0]),
                                           moved[one.links[1]].then(one.frames[1])))
                for name, one in machine.closures.items()}
    sensors = {name: replace(one, pose=moved[one.link].then(one.pose))
               if one.pose is not None else one for name, one in machine.sensors.items()}
    return replace(machine, links=links, joints=joints, closures=closures, sensors=sensors)


def _moved_link(link: Link, pose: Pose) -> Link:
    """Return a link in a new frame, in which its old one is at a pose."""
    inertial = link.inertial
    if inertial is not None:
        inertial = replace(inertial, centre=pose.of(inertial.centre),
                           inertia=pose.turn @ inertial.inertia @ pose.turn.T)
    return replace(link, inertial=inertial, shapes=tuple(
        replace(shape, pose=pose.then(shape.pose)) for shape in link.shapes))


def _fill(element: Element, link: Link) -> None:
    """Add mass and shapes of a link; its inertia is in its axes."""
    if link.inertial is not None:
        inertial = add(element, 'inertial')
        add(inertial, 'origin', xyz=text_of(*link.inertial.centre), rpy='0.0 0.0 0.0')
        add(inertial, 'mass', value=text_of(link.inertial.mass))
        matrix = 0.5 * (link.inertial.inertia + link.inertial.inertia.T)
        add(inertial, 'inertia', **{key: text_of(one) for key, one in moments(matrix).items()})
    for shape in link.shapes:
        _add_visual(element, shape)


def _add_visual(element: Element, shape: Shape) -> None:
    names = {'box': (), 'sphere': ('radius',), 'cylinder': ('radius', 'length'),
             'capsule': ('radius', 'length')}
    if shape.kind not in names:
        return
    visual = add(element, 'visual')
    _add_origin(visual, shape.pose)
    measures = ({'size': text_of(*shape.size)} if shape.kind == 'box' else
                dict(zip(names[shape.kind], map(text_of, shape.size), strict=True)))
    add(add(visual, 'geometry'), shape.kind, **measures)


def _add_joint(root: Element, joint: LinkJoint, machine: Machine, notes: Notes) -> None:
    item, limited = f'joints.{joint.name}', isfinite(joint.lower) and isfinite(joint.upper)
    kind = ('revolute' if limited else 'continuous') if joint.kind == 'revolute' else _TYPES.get(
        joint.kind)
    if kind is None:
        raise notes.error(item, f'{joint.kind}: URDF has no such joint')
    element = _add_holding(root, joint.name, kind, joint.links, joint.frames[0])
    if joint.axis is not None:
        add(element, 'axis', xyz=text_of(*joint.axis))
    if kind in ('revolute', 'prismatic'):
        lower, upper = ((text_of(joint.lower), text_of(joint.upper)) if limited else
                        (f'-{GREATEST}', GREATEST))
        add(element, 'limit', lower=lower, upper=upper, velocity=GREATEST,
            effort=GREATEST if joint.effort is None else text_of(joint.effort))
    if isfinite(joint.lower) != isfinite(joint.upper):
        notes.left_out(item, 'a limit on one side: URDF has two')
    if joint.damping or joint.friction:
        add(element, 'dynamics', damping=text_of(joint.damping), friction=text_of(joint.friction))
    if joint.stiffness:
        spring = add(root, 'gazebo', reference=joint.name)
        add(spring, 'springStiffness', text_of(joint.stiffness))
        add(spring, 'springReference', text_of(joint.rest))
    if joint.armature:
        notes.left_out(item, 'armature: URDF has none')
    _add_mimic(element, joint, machine.relations, notes)


def _add_transmission(root: Element, drive: Drive) -> None:
    """Add the transmission, of ROS 1, of a drive of joints."""
    element = add(root, 'transmission', name=f'{drive.name}_transmission')
    add(element, 'type', 'transmission_interface/SimpleTransmission')
    for joint, gear in drive.terms.items():
        add(add(element, 'joint', name=joint), 'hardwareInterface',
            'hardware_interface/EffortJointInterface')
        add(add(element, 'actuator', name=drive.name), 'mechanicalReduction', text_of(gear))


def _add_mimic(element: Element, joint: LinkJoint, relations: Mapping[str, Any],
               notes: Notes) -> None:
    """Add <mimic> where a relation of two joints says the joint's value: the first one follows."""
    for name, relation in relations.items():
        if next(iter(relation.terms)) != joint.name:
            continue
        if len(relation.terms) != 2:
            raise notes.error(f'constraints.{name}', f'a sum of {len(relation.terms)} joints: '
                                                     'URDF ties two by <mimic>')
        (_, own), (other, factor) = relation.terms.items()
        add(element, 'mimic', joint=other, multiplier=text_of(-factor / own),
            offset=text_of(relation.total / own))


def _add_holding(root: Element, name: str, kind: str, links: tuple[str, str],
                 origin: Pose) -> Element:
    element = add(root, 'joint', name=name, type=kind)
    _add_origin(element, origin)
    add(element, 'parent', link=links[0])
    add(element, 'child', link=links[1])
    return element


def _add_origin(parent: Element, pose: Pose) -> None:
    xyz, rpy = xyz_rpy(pose)
    add(parent, 'origin', xyz=xyz, rpy=rpy)
