"""Joints of URDF: what they leave free, limits, friction, and what else holds them."""

from dataclasses import replace
from math import inf, isnan

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    leave_out_others,
    named,
    needed,
    only,
    origin_of,
    value_of,
)
from mb_import.xml_text import Element, label, number, numbers
from mb_model.arrays import FloatArray
from mb_model.file_api import shown

KINDS = {'revolute': 'revolute', 'continuous': 'revolute', 'prismatic': 'prismatic',
         'fixed': 'weld', 'floating': 'free', 'planar': 'planar', 'ball': 'spherical',
         'spherical': 'spherical', 'universal': 'universal', 'screw': 'screw'}
WITH_AXIS = 'revolute', 'prismatic', 'screw', 'planar', 'cylindrical', 'in_line'
_KNOWN = ('parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic', 'joint_properties',
          'safety_controller', 'calibration', 'screw_thread_pitch')


def read_joint(element: Element, notes: Notes) -> LinkJoint:
    """Return the LinkJoint of <joint>, without what other elements say of it.

    Raises MechanismError.
    """
    name, item = named(element, notes), label(element)
    type_ = (attribute(element, 'type') or '').strip()
    if type_ not in KINDS:
        raise notes.error(item, f'type {shown(type_)} must be one of {", ".join(KINDS)}')
    leave_out_others(element, ('name', 'type'), _KNOWN, notes, item)
    for tag, reason in (('safety_controller', 'it limits a controller, not the machine'),
                        ('calibration', 'encoders are calibrated elsewhere')):
        if only(element, tag, notes, item) is not None:
            notes.left_out(item, f'<{tag}>: {reason}')
    links = tuple(named(needed(element, tag, notes, item), notes, 'link')
                  for tag in ('parent', 'child'))
    joint = LinkJoint(name, KINDS[type_], (links[0], links[1]),
                      (origin_of(element, notes, item), still()))
    return with_freedom(joint, element, notes, continuous=type_ == 'continuous')


def with_freedom(joint: LinkJoint, element: Element, notes: Notes, *, continuous: bool,
                 limited: bool = True) -> LinkJoint:
    """Return a joint with axis, limits and friction of its element.

    continuous: it has no limits; limited: it should have some, else.
    """
    item = label(element)
    if joint.kind in WITH_AXIS:
        joint = replace(joint, axis=_axis(element, notes, item))
    elif joint.kind == 'universal':         # of Drake: about x of the parent, then y of the child
        joint = replace(joint, axis=np.array([1.0, 0.0, 0.0]),
                        second_axis=np.array([0.0, 1.0, 0.0]))
    if joint.kind == 'screw':
        joint = replace(joint, pitch=value_of(element, 'screw_thread_pitch', notes, item, 0.0))
        if not joint.pitch:
            raise notes.error(item, 'a screw needs <screw_thread_pitch value="..."/>, not 0')
    joint = _with_limits(joint, only(element, 'limit', notes, item), notes, item, continuous,
                         limited)
    for tag in ('dynamics', 'joint_properties'):        # the latter of onshape-to-robot
        joint = _with_dynamics(joint, only(element, tag, notes, item), notes, f'{item}: {tag}')
    return joint


def _axis(element: Element, notes: Notes, item: str) -> FloatArray:
    """Return the unit vector of <axis xyz>, along x without it."""
    axis = np.array(numbers(attribute(only(element, 'axis', notes, item), 'xyz'), 3, notes,
                            f'{item}: axis', (1.0, 0.0, 0.0)))
    return unit_axis(axis, notes, item)


def unit_axis(axis: FloatArray, notes: Notes, item: str) -> FloatArray:
    """Return an axis with length 1; raises MechanismError if it is none."""
    size = float(np.linalg.norm(axis))
    if size < 1e-9:
        raise notes.error(f'{item}: axis', f'{axis.tolist()} is no direction')
    if abs(size - 1.0) > 1e-6:
        notes.changed(f'{item}: axis', f'{axis.tolist()} made as long as 1')
    return axis / size


def _with_limits(joint: LinkJoint, limit: Element | None, notes: Notes, item: str,
                 continuous: bool, limited: bool) -> LinkJoint:
    if limit is None:
        if joint.kind in ('revolute', 'prismatic') and limited and not continuous:
            notes.guessed(item, 'it has no <limit>, taken for unlimited')
        return joint
    item = f'{item}: limit'
    leave_out_others(limit, ('lower', 'upper', 'effort', 'velocity'), (), notes, item)
    effort, velocity = (_most(attribute(limit, name), notes, f'{item}: {name}')
                        for name in ('effort', 'velocity'))
    if effort == velocity == 0.0:
        notes.guessed(item, 'effort and velocity are 0, taken for not said')
        effort = velocity = None
    lower, upper = (_bound(attribute(limit, name), notes, f'{item}: {name}')
                    for name in ('lower', 'upper'))
    joint = replace(joint, effort=effort, velocity=velocity)
    if not joint.is_scalar or (lower is None and upper is None):
        return joint
    if lower is None or upper is None:
        notes.guessed(item, f'{"lower" if lower is None else "upper"} taken for 0')
    lower, upper = lower or 0.0, upper or 0.0
    if continuous:
        if lower or upper:
            notes.changed(item, f'a continuous joint is not kept between {lower:g} and {upper:g}')
    elif lower >= upper:
        notes.changed(item, f'lower {lower:g} to upper {upper:g} is an empty range, so taken for '
                            'unlimited')
    else:
        joint = replace(joint, lower=lower, upper=upper)
    return joint


def _bound(text: str | None, notes: Notes, item: str) -> float | None:
    """Return a number that may be infinite."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        return number(text, notes, item)
    return number(text, notes, item) if isnan(value) or abs(value) < inf else value


def _most(text: str | None, notes: Notes, item: str) -> float | None:
    """Return a largest value, None if there is none."""
    value = _bound(text, notes, item)
    if value is not None and value < 0.0:
        notes.guessed(item, f'{value:g} taken for not said')
    return None if value is None or value < 0.0 or value == inf else value


def _with_dynamics(joint: LinkJoint, dynamics: Element | None, notes: Notes,
                   item: str) -> LinkJoint:
    if dynamics is None or joint.kind == 'weld':
        return joint
    leave_out_others(dynamics, ('damping', 'friction', 'armature'), (), notes, item)
    damping, friction, armature = (
        at_least_zero(number(attribute(dynamics, name), notes, f'{item}: {name}', 0.0), notes,
                      f'{item}: {name}') for name in ('damping', 'friction', 'armature'))
    if not joint.is_scalar and any((damping, friction, armature)):
        notes.left_out(item, f'a {joint.kind} joint has no single coordinate to damp')
        return joint
    return replace(joint, damping=joint.damping + damping, friction=joint.friction + friction,
                   armature=joint.armature + armature)
