"""Elements <joint> of all types, in SDF and in <gazebo> of URDF."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mb_import.joint_tree import reversed_joint, still
from mb_import.machine import WORLD, Link, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.sdf.axes import Axis, read_axis, read_pitch
from mb_import.readers.sdf.frames import Frame, Scope
from mb_import.readers.sdf.poses import read_pose
from mb_import.xml_text import Element, label, number
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose

_SCALAR = {'revolute': 'revolute', 'continuous': 'revolute', 'prismatic': 'prismatic',
           'screw': 'screw'}
_FREE = {'fixed': 'weld', 'ball': 'spherical'}           # kinds without an axis
_TYPES = (*_SCALAR, *_FREE, 'universal', 'revolute2', 'gearbox')
_KNOWN = ('parent', 'child', 'pose', 'axis', 'axis2', 'sensor', 'plugin', 'gearbox_ratio',
          'gearbox_reference_body', 'thread_pitch', 'screw_thread_pitch', 'drake:mimic',
          'drake:rotor_inertia', 'drake:gear_ratio')
_SQUARE = 1e-6           # axes of a universal joint are perpendicular to this


@dataclass(frozen=True)
class JointParts:
    """What a <joint> becomes; coordinates: axis -> joint that has its one.

    links: a cross between two hinges.  meeting: where on the parent the joint is if it closes a
    loop, as two frames are meant to meet that are drawn apart; gap: by how much [m].
    """

    joints: tuple[LinkJoint, ...]
    coordinates: Mapping[str, str] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    meeting: Pose | None = None
    gap: float = 0.0


@dataclass(frozen=True)
class _Ends:
    """Names of the links of a joint, and its frame in each; meeting, gap: see JointParts."""

    links: tuple[str, str]
    frames: tuple[Pose, Pose]
    at: Pose                 # in the world
    meeting: Pose | None = None
    gap: float = 0.0


def read_joint(element: Element, scope: Scope, name: str, *,
               leads: bool = False, whole: bool = False) -> JointParts | None:
    """Return the parts of a <joint>, None if it is none but a gear between others.

    Links have full names.  leads: whether another joint's axis follows one of its axes; whole:
    whether it stays one joint, so that what is said of two axes is left out.  Raises
    MechanismError.
    """
    notes, item = scope.notes, label(element)
    type_ = element.get('type', '').strip()
    if type_ not in _TYPES:
        raise notes.error(item, f'type {type_[:40]!r} must be one of {", ".join(_TYPES)}')
    if type_ == 'gearbox':
        return None
    for child in element:
        if child.tag not in _KNOWN:
            notes.left_out(item, f'<{child.tag}> is of a simulator')
    ends = _ends(element, scope, item, type_)
    if type_ in _FREE:
        parts = JointParts((LinkJoint(name, _FREE[type_], ends.links, ends.frames),))
    elif type_ in _SCALAR:
        parts = _scalar(element, scope, name, type_, ends)
    else:
        parts = _cross(element, scope, name, ends, leads=leads, whole=whole)
    if ends.links[1] == WORLD and ends.links[0] != WORLD:
        scope.notes.changed(item, 'its child is the world, which its parent hangs on')
        return replace(parts, joints=tuple(map(reversed_joint, reversed(parts.joints))))
    return replace(parts, meeting=ends.meeting, gap=ends.gap)


def _ends(element: Element, scope: Scope, item: str, type_: str) -> _Ends:
    """Return where a joint is: where its pose says, by default at its child.

    A parent that is a <frame> elsewhere is meant to meet it where no pose says where the child is.
    """
    parent, child = (_side(element, tag, scope, item) for tag in ('parent', 'child'))
    pose, base = read_pose(element, scope.notes, item)
    at = (scope.frame(base, item).pose if base else child.pose).then(pose)
    homes = [scope.frames.frame(side.link).pose for side in (parent, child)]
    drawn = homes[0].inverse().then(at), homes[1].inverse().then(at)
    ends = _Ends((parent.link, child.link), drawn, at)
    gap = float(np.linalg.norm(parent.pose.at - at.at))
    if gap < 1e-9 or parent.kind != 'frame' or type_ == 'fixed' or element.find('pose') is not None:
        return ends
    meeting = homes[0].inverse().then(parent.pose)
    if child.link != WORLD and not scope.frames.is_posed(child.link):
        names = ' and '.join((element.findtext(tag) or '').strip() for tag in ('parent', 'child'))
        scope.notes.changed(item, f'{names} are {gap:.6g} m apart as drawn, and no pose says '
                                  'where the child is: they are taken to meet')
        return replace(ends, frames=(meeting, drawn[1]))
    return replace(ends, meeting=meeting, gap=gap) if child.kind == 'frame' else ends


def _side(element: Element, tag: str, scope: Scope, item: str) -> Frame:
    """Return the frame that a joint names as its parent or child."""
    end = element.find(tag)
    text = '' if end is None else (end.text or end.get('link') or '').strip()
    if not text:
        raise scope.notes.error(item, f'has no <{tag}>')
    side = scope.frame(text, item)
    if not side.link:
        raise scope.notes.error(item, f'{text[:80]!r} is fixed in no link')
    return side


def _scalar(element: Element, scope: Scope, name: str, type_: str, ends: _Ends) -> JointParts:
    item = label(element)
    axis = read_axis(element.find('axis'), scope, ends.at, f'{item}: axis',
                     continuous=type_ == 'continuous')
    pitch = read_pitch(element, scope.notes, item) if type_ == 'screw' else 0.0
    joint = replace(_hinge(name, _SCALAR[type_], ends.links, ends.frames, axis), pitch=pitch,
                    armature=_armature(element, scope.notes, item))
    return JointParts((joint,), {'axis': name})


def _armature(element: Element, notes: Notes, item: str) -> float:
    """Return the inertia of a rotor seen through its gear, of Drake's elements [kg m^2]."""
    inertia = number(element.findtext('drake:rotor_inertia'), notes,
                     f'{item}: drake:rotor_inertia', 0.0)
    ratio = number(element.findtext('drake:gear_ratio'), notes, f'{item}: drake:gear_ratio', 1.0)
    return inertia * ratio * ratio


def _cross(element: Element, scope: Scope, name: str, ends: _Ends, *, leads: bool,
           whole: bool) -> JointParts:
    """Return a universal joint, or two hinges in series with a link between them.

    Two where the axes are not perpendicular, or have coordinates of which more is said.
    """
    item = label(element)
    first, second = (read_axis(element.find(tag), scope, ends.at, f'{item}: {tag}')
                     for tag in ('axis', 'axis2'))
    cosine = float(first.direction @ second.direction)
    if 1.0 - abs(cosine) < _SQUARE:
        raise scope.notes.error(item, 'its axes are parallel, expected two')
    coupled = leads or any(axis.find('mimic') is not None for axis in element)
    bare = first.is_bare and second.is_bare and not coupled and abs(cosine) < _SQUARE
    if whole and not bare:
        scope.notes.left_out(item, 'what is said of its axes beside their directions, which are '
                                   'taken for perpendicular')
    if bare or whole:
        joint = LinkJoint(name, 'universal', ends.links, ends.frames, first.direction,
                          second.direction)
        return JointParts((joint,))
    cross = f'{name}_cross'
    scope.notes.changed(item, f'read as two hinges, {name}_axis and {name}_axis2, with a link '
                              'without mass between them')
    joints = (_hinge(f'{name}_axis', 'revolute', (ends.links[0], cross),
                     (ends.frames[0], still()), first),
              _hinge(f'{name}_axis2', 'revolute', (cross, ends.links[1]),
                     (still(), ends.frames[1]), second))
    return JointParts(joints, {'axis': f'{name}_axis', 'axis2': f'{name}_axis2'}, (Link(cross),))


def _hinge(name: str, kind: str, links: tuple[str, str], frames: tuple[Pose, Pose],
           axis: Axis) -> LinkJoint:
    direction: FloatArray = axis.direction
    return LinkJoint(name, kind, links, frames, direction, lower=axis.lower, upper=axis.upper,
                     effort=axis.effort, velocity=axis.velocity, stiffness=axis.stiffness,
                     rest=axis.rest, damping=axis.damping, friction=axis.friction,
                     actuated=axis.actuated)
