"""Joints of SDF in URDF: <gazebo><joint>, which may tie links that hang on others already."""

from collections.abc import Mapping
from dataclasses import replace
from math import pi

import numpy as np

from mb_import.machine import WORLD, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    leave_out_others,
    named,
    only,
    text_of,
)
from mb_import.readers.urdf.joints import unit_axis
from mb_import.xml_text import Element, label, number, numbers
from mb_model.arrays import FloatArray
from mb_model.file_api import shown
from mb_model.space_api import Pose, of_roll_pitch_yaw

KINDS = {'revolute': 'revolute', 'continuous': 'revolute', 'prismatic': 'prismatic',
         'ball': 'spherical', 'fixed': 'weld', 'universal': 'universal',
         'revolute2': 'universal', 'screw': 'screw'}
_TAGS = ('parent', 'child', 'pose', 'axis', 'axis2', 'thread_pitch', 'screw_thread_pitch',
         'physics', 'provide_feedback')
_UNLIMITED = 1e16


def read_gazebo_joint(element: Element, poses: Mapping[str, Pose], notes: Notes) -> LinkJoint:
    """Return the LinkJoint of an SDF joint; poses: of all links where they are drawn.

    Its frame is given on the child, and is on the parent where both are drawn.
    """
    name, item = named(element, notes), label(element)
    type_ = attribute(element, 'type') or ''
    if type_ not in KINDS:
        raise notes.error(item, f'type {shown(type_)} must be one of {", ".join(KINDS)}')
    leave_out_others(element, ('name', 'type'), _TAGS, notes, item)
    parent, child = (_link(element, tag, poses, notes, item) for tag in ('parent', 'child'))
    pose = _pose(element, child, poses, notes, item)
    drawn = poses[child].then(pose)
    joint = LinkJoint(name, KINDS[type_], (parent, child),
                      (poses[parent].inverse().then(drawn), pose))
    if joint.kind in ('weld', 'spherical'):
        return joint
    joint = replace(joint, axis=_axis(element, 'axis', drawn, poses, notes, item))
    if joint.kind == 'universal':
        return replace(joint, second_axis=_axis(element, 'axis2', drawn, poses, notes, item))
    if joint.kind == 'screw':
        joint = replace(joint, pitch=_pitch(element, notes, item))
    return _with_numbers(joint, element, notes, item)


def _link(element: Element, tag: str, poses: Mapping[str, Pose], notes: Notes, item: str) -> str:
    end = only(element, tag, notes, item)
    link = text_of(element, tag) or (attribute(end, 'link') or '').strip()
    if link not in poses:
        raise notes.error(item, f'<{tag}> {shown(link)} must be a link or {WORLD}')
    return link


def _pose(element: Element, child: str, poses: Mapping[str, Pose], notes: Notes,
           item: str) -> Pose:
    """Return the pose of the joint in the frame of its child."""
    values = numbers(text_of(element, 'pose'), 6, notes, f'{item}: pose', (0.0,) * 6)
    pose = Pose(np.array(values[:3]), of_roll_pitch_yaw(values[3:]))
    base = attribute(only(element, 'pose', notes, item), 'relative_to')
    if not base or base == child:
        return pose
    if base not in poses:
        raise notes.error(item, f'pose is relative to {base}, expected a link')
    return poses[child].inverse().then(poses[base]).then(pose)


def _axis(element: Element, tag: str, drawn: Pose, poses: Mapping[str, Pose], notes: Notes,
          item: str) -> FloatArray:
    """Return the axis in the frame of the joint; drawn: its global pose."""
    axis = only(element, tag, notes, item)
    xyz = None if axis is None else only(axis, 'xyz', notes, item)
    given = unit_axis(np.array(numbers(text_of(axis, 'xyz') or None, 3, notes, f'{item}: {tag}',
                                        (0.0, 0.0, 1.0))), notes, item)
    frame = attribute(xyz, 'expressed_in') or ''
    if text_of(axis, 'use_parent_model_frame') in ('1', 'true', 'True'):
        frame = '__model__'
    if not frame:
        return given
    if frame != '__model__' and frame not in poses:
        raise notes.error(item, f'{tag} is expressed in {frame}, expected a link')
    outside = given if frame == '__model__' else poses[frame].turn @ given
    return drawn.turn.T @ outside


def _pitch(element: Element, notes: Notes, item: str) -> float:
    """Return the travel of a screw in one turn [m]; thread_pitch is minus the angle per metre."""
    old = text_of(element, 'thread_pitch')
    if old:
        angle = number(old, notes, f'{item}: thread_pitch')
        pitch = -2.0 * pi / angle if angle else 0.0
    else:
        pitch = number(text_of(element, 'screw_thread_pitch'), notes,
                       f'{item}: screw_thread_pitch')
    if not pitch:
        raise notes.error(item, 'its thread has no pitch')
    return pitch


def _with_numbers(joint: LinkJoint, element: Element, notes: Notes, item: str) -> LinkJoint:
    """Return a joint with limits, friction and spring of <axis>."""
    axis = only(element, 'axis', notes, item)
    limit, dynamics = (None if axis is None else only(axis, tag, notes, item)
                       for tag in ('limit', 'dynamics'))
    values = {}
    for tag, least in (('damping', 0.0), ('friction', 0.0), ('spring_stiffness', 0.0),
                       ('spring_reference', None)):
        value = number(text_of(dynamics, tag), notes, f'{item}: {tag}', 0.0)
        values[tag] = value if least is None else at_least_zero(value, notes, f'{item}: {tag}')
    joint = replace(joint, damping=values['damping'], friction=values['friction'],
                    stiffness=values['spring_stiffness'], rest=values['spring_reference'])
    lower, upper = (number(text_of(limit, tag).replace('inf', '1e17'), notes, f'{item}: {tag}',
                           sign * _UNLIMITED) for tag, sign in (('lower', -1.0), ('upper', 1.0)))
    if lower >= upper:
        notes.changed(item, f'lower {lower:g} to upper {upper:g} is an empty range, so taken for '
                            'unlimited')
        return joint
    return replace(joint, lower=lower if lower > -_UNLIMITED else joint.lower,
                   upper=upper if upper < _UNLIMITED else joint.upper)
