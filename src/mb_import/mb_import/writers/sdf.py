"""SDF of a Machine: links where they are drawn, and joints for its tree and its loops.

A joint of SDF is at 0 where it is drawn.
"""

from dataclasses import replace
from math import isfinite
from xml.etree import ElementTree

import numpy as np

from mb_import.drawing import drawn_poses
from mb_import.machine import WORLD, Link, LinkJoint, Machine, Shape
from mb_import.notes import Notes
from mb_import.writers.recut import recut
from mb_import.writers.sensor_elements import sensor_elements
from mb_import.writers.text import Element, add, moments, text_of, whole, xyz_rpy
from mb_model.space_api import Pose

_TYPES = {'weld': 'fixed', 'revolute': 'revolute', 'prismatic': 'prismatic', 'screw': 'screw',
          'spherical': 'ball', 'universal': 'universal'}
_UNLIMITED = '1e16'


def sdf_text(machine: Machine, notes: Notes) -> str:
    """Return the text; raises MechanismError for joints and relations that SDF does not have."""
    machine = recut(machine, tuple(_TYPES), notes)
    root = ElementTree.Element('sdf', version='1.11')
    scene = root
    if machine.gravity is not None:
        scene = add(root, 'world', name='world')
        add(scene, 'gravity', text_of(*machine.gravity))
    model = add(scene, 'model', name=machine.name)
    poses = drawn_poses(machine, {})
    homes = {link.name: _add_link(model, link, poses[link.name], notes)
             for link in machine.links.values()}
    machine = _with_names(machine, notes)
    joints = {joint.name: _add_joint(model, joint, machine, notes)
              for joint in (*machine.joints.values(), *machine.closures.values())
              if joint.kind != 'free'}
    for sensor, element in sensor_elements(machine, notes):
        (joints if sensor.joint else homes)[sensor.joint or sensor.link].append(element)
    for name in machine.struts:
        notes.left_out(f'forces.{name}', 'a spring between points: SDF has none')
    for drive in machine.drives.values():
        for joint in drive.terms:
            plugin = add(model, 'plugin', filename='gz-sim-apply-joint-force-system',
                         name='gz::sim::systems::ApplyJointForce')
            add(plugin, 'joint_name', joint)
    drawn = [name for name, joint in machine.joints.items() if joint.drawn]
    if drawn:
        notes.changed(', '.join(drawn), 'at 0 as drawn, where SDF has the zero of a joint')
    return whole(root, notes.notes)


def _with_names(machine: Machine, notes: Notes) -> Machine:
    """Return a Machine whose joints have other names than its links, as SDF wants."""
    taken = {*machine.links, *machine.joints, *machine.closures}
    names = {}
    for name in (*machine.joints, *machine.closures):
        names[name] = name
        while names[name] in machine.links or (names[name] != name and names[name] in taken):
            names[name] += '_joint'
        if names[name] != name:
            notes.changed(f'joints.{name}', f'called {names[name]}: a link has its name')
    return replace(
        machine,
        joints={names[name]: replace(one, name=names[name])
                for name, one in machine.joints.items()},
        closures={names[name]: replace(one, name=names[name])
                  for name, one in machine.closures.items()},
        relations={name: replace(one, terms={names[joint]: factor
                                             for joint, factor in one.terms.items()})
                   for name, one in machine.relations.items()},
        sensors={name: replace(one, joint=names.get(one.joint, ''))
                 for name, one in machine.sensors.items()},
        drives={name: replace(one, terms={names[joint]: gear
                                          for joint, gear in one.terms.items()})
                for name, one in machine.drives.items()})


def _add_link(model: Element, link: Link, pose: Pose, notes: Notes) -> Element:
    element = add(model, 'link', name=link.name)
    _add_pose(element, pose)
    inertial = add(element, 'inertial')
    mass = link.inertial.mass if link.inertial else 0.0
    if not mass:
        notes.left_out(f'link {link.name}', 'mass: it has none, which Gazebo does not take')
    centre = link.inertial.centre if link.inertial else np.zeros(3)
    matrix = link.inertial.inertia if link.inertial else np.zeros((3, 3))
    add(inertial, 'pose', text_of(*centre, 0.0, 0.0, 0.0))
    add(inertial, 'mass', text_of(mass))
    inertia = add(inertial, 'inertia')
    for key, one in moments(0.5 * (matrix + matrix.T)).items():
        add(inertia, key, text_of(one))
    for k, shape in enumerate(link.shapes):
        _add_visual(element, f'{link.name}_{k}', shape)
    return element


def _add_visual(element: Element, name: str, shape: Shape) -> None:
    if shape.kind == 'mesh':
        return
    visual = add(element, 'visual', name=name)
    _add_pose(visual, shape.pose)
    solid = add(add(visual, 'geometry'), shape.kind)
    if shape.kind == 'box':
        add(solid, 'size', text_of(*shape.size))
        return
    for key, value in zip(('radius', 'length'), shape.size, strict=False):
        add(solid, key, text_of(value))


def _add_joint(model: Element, joint: LinkJoint, machine: Machine, notes: Notes) -> Element:
    """Return the joint that it adds; its frame is on the child."""
    item = f'joints.{joint.name}'
    if joint.kind not in _TYPES:
        raise notes.error(item, f'{joint.kind}: SDF has no such joint')
    type_ = _TYPES[joint.kind]
    if joint.kind == 'revolute' and not isfinite(joint.lower):
        type_ = 'continuous'
    element = add(model, 'joint', name=joint.name, type=type_)
    parent, child = joint.links
    frame, axis = joint.frames[1], joint.axis
    if child == WORLD:           # SDF asks for another child
        parent, child, frame = child, parent, joint.frames[0]
        axis = None if axis is None else -axis
    add(element, 'parent', parent)
    add(element, 'child', child)
    _add_pose(element, frame)
    if joint.kind == 'screw':
        add(element, 'screw_thread_pitch', text_of(joint.pitch))
    if axis is not None:
        _add_axis(add(element, 'axis'), joint, axis)
    if joint.kind == 'universal' and joint.second_axis is not None:
        add(add(element, 'axis2'), 'xyz', text_of(*joint.second_axis))
    if joint.armature:
        notes.left_out(item, 'armature: SDF has none')
    _add_mimic(element, joint, machine, notes)
    return element


def _add_axis(element: Element, joint: LinkJoint, axis: np.ndarray) -> None:
    add(element, 'xyz', text_of(*axis))
    if isfinite(joint.lower) or isfinite(joint.upper):
        limit = add(element, 'limit')
        for key, value in (('lower', joint.lower), ('upper', joint.upper)):
            add(limit, key, text_of(value - joint.drawn) if isfinite(value) else
                f'{"-" * (key == "lower")}{_UNLIMITED}')
        if joint.effort is not None:
            add(limit, 'effort', text_of(joint.effort))
    if joint.damping or joint.friction or joint.stiffness:
        dynamics = add(element, 'dynamics')
        for key, value in (('damping', joint.damping), ('friction', joint.friction),
                           ('spring_stiffness', joint.stiffness),
                           ('spring_reference', joint.rest - joint.drawn)):
            add(dynamics, key, text_of(value))


def _add_mimic(element: Element, joint: LinkJoint, machine: Machine, notes: Notes) -> None:
    """Add <mimic> where a relation of two joints says the joint's value: the first one follows."""
    for name, relation in machine.relations.items():
        if next(iter(relation.terms)) != joint.name:
            continue
        if len(relation.terms) != 2:
            raise notes.error(f'constraints.{name}', f'a sum of {len(relation.terms)} joints: SDF '
                                                     'ties two by <mimic>')
        (_, own), (other, factor) = relation.terms.items()
        drawn = sum(value * machine.joints[one].drawn for one, value in relation.terms.items())
        axis = element.find('axis')
        if axis is None:
            raise notes.error(f'constraints.{name}', f'{joint.name} has no axis')
        mimic = add(axis, 'mimic', joint=other)
        add(mimic, 'multiplier', text_of(-factor / own))
        add(mimic, 'offset', text_of((relation.total - drawn) / own))
        add(mimic, 'reference', '0.0')


def _add_pose(parent: Element, pose: Pose) -> None:
    add(parent, 'pose', ' '.join(xyz_rpy(pose)))
