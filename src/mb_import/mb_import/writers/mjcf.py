"""MJCF of a Machine.

Joints have the Machine's coordinates (`ref`: as drawn).  Inertias are in the axes of their bodies.
"""

from collections.abc import Mapping
from math import isfinite
from xml.etree import ElementTree

import numpy as np

from mb_import.drawing import moved
from mb_import.joint_tree import still
from mb_import.machine import WORLD, Inertial, Link, LinkJoint, Machine, Shape
from mb_import.notes import Notes
from mb_import.writers.mjcf_devices import add_devices, add_struts, device_sites
from mb_import.writers.recut import recut
from mb_import.writers.text import Element, add, moments, placed, text_of, whole
from mb_model.space_api import Pose, quaternion

_HINGES = {'revolute': 'hinge', 'prismatic': 'slide'}
_CLOSED = {'spherical': 'connect', 'weld': 'weld', 'universal': 'connect'}
_CLOSING = *_CLOSED, 'revolute', 'distance'
_LEAST = 2e-15       # of mass and inertia: MuJoCo takes nothing below 1e-15
_THIN = 1e-9         # of the largest moment: what a thin rod has about its line, at most


def mjcf_text(machine: Machine, notes: Notes) -> str:
    """Return the text; raises MechanismError for loops and joints that MJCF does not have."""
    machine = recut(machine, _CLOSING, notes)
    root = ElementTree.Element('mujoco', model=machine.name)
    add(root, 'compiler', angle='radian', autolimits='true', inertiafromgeom='false')
    if machine.gravity is not None:
        add(root, 'option', gravity=text_of(*machine.gravity))
    bodies = {WORLD: add(root, 'worldbody')}
    sites = _sites(machine, notes)
    for link, ends in device_sites(machine).items():
        sites.setdefault(link, {}).update(ends)
    ahead: dict[str, list[LinkJoint]] = {}       # joints to links without mass, before the next one
    for joint in machine.joints.values():
        parent, child = joint.links
        chain = [*ahead.pop(parent, ()), joint]
        if _passed(machine, joint, sites):
            ahead[child] = chain
            continue
        bodies[child] = _add_body(bodies[chain[0].links[0]], machine.links[child], chain, notes)
    for link, ends in sites.items():
        for name, pose in ends.items():
            add(bodies[link], 'site', name=name, **placed(pose))
    _add_ties(root, machine)
    add_devices(root, machine, notes)
    return whole(root, notes.notes)


def _passed(machine: Machine, joint: LinkJoint, sites: Mapping[str, object]) -> bool:
    """Whether a joint leads to a link that is nothing but what one more joint hangs on."""
    child = joint.links[1]
    behind = [one for one in machine.joints.values() if one.links[0] == child]
    link = machine.links[child]
    return (link.inertial is None and not link.shapes and child not in sites and len(behind) == 1
            and joint.is_scalar and behind[0].is_scalar)


def _sites(machine: Machine, notes: Notes) -> dict[str, dict[str, Pose]]:
    """Return link -> the frames of closures on it by name."""
    sites: dict[str, dict[str, Pose]] = {}
    for closure in machine.closures.values():
        frames = closure.frames
        if closure.kind == 'revolute':
            for k, (link, frame) in enumerate(zip(closure.links, frames, strict=True)):
                ends = sites.setdefault(link, {})
                ends[f'{closure.name}_{k}'] = frame
                if not _is_planar(machine):
                    ends[f'{closure.name}_axis_{k}'] = frame.then(Pose(
                        closure.axis * _reach(machine), np.eye(3)))
            continue
        if closure.kind not in _CLOSING:
            raise notes.error(f'joints.{closure.name}', f'{closure.kind}: MJCF closes loops by '
                                                        'hinges, balls, crosses, welds and rods, '
                                                        'and no other joint of its loop is free '
                                                        'to close it instead')
        axes = (closure.axis, closure.second_axis) if closure.kind == 'universal' else ()
        for k, (link, frame) in enumerate(zip(closure.links, frames, strict=True)):
            ends = sites.setdefault(link, {})
            ends[f'{closure.name}_{k}'] = frame
            if axes:        # whose ends are as far from each other as a right angle puts them
                ends[f'{closure.name}_axis_{k}'] = frame.then(Pose(
                    axes[k] * _reach(machine), np.eye(3)))
    return sites


def _reach(machine: Machine) -> float:
    """Return a length of the machine [m]: the farthest of its joints from its parent's frame."""
    far = [float(np.linalg.norm(frame.at)) for joint in machine.joints.values()
           for frame in joint.frames]
    return max(far, default=0.0) or 1.0


def _is_planar(machine: Machine) -> bool:
    """Whether all joints move their links in one plane, z = 0 of the world as of every frame."""
    z = np.array([0.0, 0.0, 1.0])
    for joint in machine.joints.values():
        for frame in joint.frames:
            axis = z if joint.axis is None else frame.turn @ joint.axis
            out = abs(axis[2])
            wanted = 0.0 if joint.kind == 'prismatic' else 1.0
            if joint.kind not in (*_HINGES, 'weld') or abs(out - wanted) > 1e-12 \
                    or abs(frame.at[2]) > 1e-12:
                return False
    return True


def _add_body(parent: Element, link: Link, chain: list[LinkJoint], notes: Notes) -> Element:
    """Add the body of a link, which a chain of joints carries."""
    pose = still()
    for joint in chain:
        pose = pose.then(_drawn(joint))
    body = add(parent, 'body', name=link.name, **placed(pose))
    behind = still()         # the frame of a chain's link in the body's, as drawn
    poses = []
    for joint in reversed(chain):
        poses.append(behind)
        behind = behind.then(_drawn(joint).inverse())
    for joint, own in zip(chain, reversed(poses), strict=True):
        _add_joint(body, joint, own.then(joint.frames[1]), notes)
    if link.inertial is not None:
        _add_inertial(body, link.inertial)
    for shape in link.shapes:
        _add_geom(body, shape)
    return body


def _drawn(joint: LinkJoint) -> Pose:
    """Return the pose of a joint's child in its parent as drawn."""
    return joint.frames[0].then(moved(joint, joint.drawn)).then(joint.frames[1].inverse())


def _add_joint(body: Element, joint: LinkJoint, frame: Pose, notes: Notes) -> None:
    """Add MuJoCo's joints; frame: of the joint on its child, in the body's frame."""
    if joint.kind == 'weld':
        return
    pos = text_of(*frame.at)
    if joint.kind == 'free':
        add(body, 'freejoint', name=joint.name)
    elif joint.kind == 'spherical':
        add(body, 'joint', name=joint.name, type='ball', pos=pos)
    elif joint.kind == 'universal':
        for name, axis in (('first', joint.axis), ('second', joint.second_axis)):
            add(body, 'joint', name=f'{joint.name}_{name}', type='hinge', pos=pos,
                axis=text_of(*frame.turn @ axis))
    elif joint.kind in _HINGES:
        numbers = {key: value for key, value in (
            ('ref', joint.drawn), ('stiffness', joint.stiffness),
            ('springref', joint.rest), ('damping', joint.damping),
            ('frictionloss', joint.friction), ('armature', joint.armature)) if value}
        if isfinite(joint.lower) and isfinite(joint.upper):
            numbers['range'] = None
        elif isfinite(joint.lower) or isfinite(joint.upper):
            notes.left_out(f'joints.{joint.name}', 'a limit on one side: MJCF has two')
        attributes = {key: text_of(joint.lower, joint.upper) if value is None else text_of(value)
                      for key, value in numbers.items()}
        add(body, 'joint', name=joint.name, type=_HINGES[joint.kind], pos=pos,
            axis=text_of(*frame.turn @ joint.axis), **attributes)
    else:
        raise notes.error(f'joints.{joint.name}', f'{joint.kind}: MJCF has no such joint')


def _add_inertial(body: Element, inertial: Inertial) -> None:
    values, axes = np.linalg.eigh(inertial.inertia)
    mass, centre = text_of(max(inertial.mass, _LEAST)), text_of(*inertial.centre)
    if values[0] < _THIN * values[2] or values[0] < _LEAST:
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        add(body, 'inertial', mass=mass, pos=centre, quat=text_of(*quaternion(axes)),
            diaginertia=text_of(*np.maximum(values, _LEAST)))
        return
    parts = moments(inertial.inertia)
    add(body, 'inertial', mass=mass, pos=centre, fullinertia=text_of(*(
        parts[key] for key in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'))))


def _add_geom(body: Element, shape: Shape) -> None:
    sizes = {'box': [0.5 * edge for edge in shape.size], 'sphere': shape.size}.get(
        shape.kind, (shape.size[0], 0.5 * shape.size[-1]) if shape.size else ())
    if shape.kind != 'mesh':
        add(body, 'geom', type=shape.kind, size=text_of(*sizes), contype='0', conaffinity='0',
            **placed(shape.pose))


def _add_rod(tendons: Element, equalities: Element, name: str) -> None:
    """Keep the distance of two sites."""
    tendon = add(tendons, 'spatial', name=name)
    for k in range(2):
        add(tendon, 'site', site=f'{name}_{k}')
    add(equalities, 'tendon', name=name, tendon1=name)


def _add_ties(root: Element, machine: Machine) -> None:
    """Add closures and relations."""
    tendons, equalities = add(root, 'tendon'), add(root, 'equality')
    for closure in machine.closures.values():
        name = closure.name
        if closure.kind == 'distance':
            _add_rod(tendons, equalities, name)
            continue
        add(equalities, _CLOSED.get(closure.kind, 'connect'), name=name, site1=f'{name}_0',
            site2=f'{name}_1')
        if closure.kind == 'revolute' and not _is_planar(machine):
            add(equalities, 'connect', name=f'{name}_axis', site1=f'{name}_axis_0',
                site2=f'{name}_axis_1')
        if closure.kind == 'universal':
            _add_rod(tendons, equalities, f'{name}_axis')
    for name, relation in machine.relations.items():
        tendon = add(tendons, 'fixed', name=name)
        drawn = 0.0
        for joint, factor in relation.terms.items():
            add(tendon, 'joint', joint=joint, coef=text_of(factor))
            drawn += factor * machine.joints[joint].drawn
        add(equalities, 'tendon', name=name, tendon1=name,
            polycoef=text_of(relation.total - drawn, 0, 0, 0, 0))
    add_struts(tendons, machine)
    for one in (tendons, equalities):
        if not len(one):
            root.remove(one)
