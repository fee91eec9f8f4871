"""Loops in URDF: constraints of Drake, <loop_joint> of Isaac Sim and others, <loop> of URDF+."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mb_import.bushings import bushing
from mb_import.machine import LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    children,
    leave_out_others,
    local,
    named,
    needed,
    only,
    origin_of,
    pose_of,
    value_of,
)
from mb_import.readers.urdf.joints import with_freedom
from mb_import.xml_text import Element, label, numbers
from mb_model.file_api import shown
from mb_model.space_api import Pose

TAGS = 'ball_constraint', 'distance_constraint', 'linear_bushing_rpy', 'loop_joint', 'loop'
_KINDS = {'revolute': 'revolute', 'continuous': 'revolute', 'prismatic': 'prismatic',
          'fixed': 'weld', 'ball': 'spherical', 'spherical': 'spherical',
          'cylindrical': 'cylindrical', 'universal': 'universal'}


def read_loops(elements: Sequence[Element], frames: Mapping[str, tuple[str, Pose]],
               notes: Notes) -> Iterator[LinkJoint]:
    """Yield the closures, '' as name of one that has none; raises MechanismError."""
    for element in elements:
        tag = local(element.tag)
        if tag in ('ball_constraint', 'distance_constraint'):
            yield _points(element, notes)
        elif tag == 'linear_bushing_rpy':
            if (held := _bushing(element, frames, notes)) is not None:
                yield held
        else:
            yield _loop(element, notes)


def _points(element: Element, notes: Notes) -> LinkJoint:
    """Return two points of Drake that meet, or keep a distance: ball_ or distance_constraint."""
    kind, item = local(element.tag), label(element)
    names = [f'{kind}_{end}' for end in ('body_A', 'p_AP', 'body_B', 'p_BQ')]
    leave_out_others(element, (), (*names, f'{kind}_distance'), notes, item)
    links, points = [], []
    for body, point in (names[:2], names[2:]):
        links.append(named(needed(element, body, notes, item), notes))
        points.append(np.array(numbers(attribute(needed(element, point, notes, item), 'value'), 3,
                                       notes, f'{item}: {point}')))
    length = 0.0
    if kind == 'distance_constraint':
        length = at_least_zero(value_of(element, f'{kind}_distance', notes, item, 0.0), notes,
                               f'{item}: distance')
    return LinkJoint('', 'distance' if length else 'spherical', (links[0], links[1]),
                     (Pose(points[0], np.eye(3)), Pose(points[1], np.eye(3))), length=length)


def _bushing(element: Element, frames: Mapping[str, tuple[str, Pose]],
             notes: Notes) -> LinkJoint | None:
    """Return what <drake:linear_bushing_rpy> holds with stiffness, as if it were rigid."""
    item = label(element)
    ends = []
    for tag in ('bushing_frameA', 'bushing_frameC'):
        name = named(needed(element, tag, notes, item), notes)
        if name not in frames:
            raise notes.error(item, f'there is no frame {name}')
        ends.append(frames[name])
    item = f'{item} {ends[0][0]} to {ends[1][0]}'
    force, torque = (numbers(
        attribute(needed(element, f'bushing_{what}_stiffness', notes, item), 'value'), 3, notes,
        f'{item}: {what}_stiffness') for what in ('force', 'torque'))
    return bushing('', ends, force, torque, notes, item)


def _loop(element: Element, notes: Notes) -> LinkJoint:
    """Return <loop_joint> or <loop>: a joint with a frame on each of two links."""
    name, item = named(element, notes), label(element)
    type_ = (attribute(element, 'type') or '').strip()
    if type_ not in _KINDS:
        raise notes.error(item, f'type {shown(type_)} must be one of {", ".join(_KINDS)}')
    (first, at_first), (second, at_second) = _ends(element, notes, item)
    joint = with_freedom(LinkJoint(name, _KINDS[type_], (first, second), (at_first, at_second)),
                         element, notes, continuous=type_ == 'continuous', limited=False)
    if joint.axis is not None and attribute(only(element, 'axis', notes, item), 'frame') in (
            'parent', 'predecessor'):
        joint = replace(joint, axis=at_first.turn.T @ joint.axis)
    return joint


def _ends(element: Element, notes: Notes, item: str) -> list[tuple[str, Pose]]:
    """Return (link, pose in it) of both ends, however they are written."""
    pairs = list(children(element, 'link1', 'link2'))
    if pairs:
        if len(pairs) != 2:
            raise notes.error(item, f'it has {len(pairs)} links, expected <link1> and <link2>')
        return [(named(end, notes, 'link'), pose_of(end, notes, f'{item}: {local(end.tag)}'))
                for end in pairs]
    tags = (('predecessor', 'successor') if local(element.tag) == 'loop' else ('parent', 'child'))
    ends = []
    for tag in tags:
        end = needed(element, tag, notes, item)
        pose = origin_of(end, notes, f'{item}: {tag}')
        ends.append((named(end, notes, 'link'),
                     pose.then(origin_of(element, notes, item, f'{tag}_origin'))))
    return ends
