"""Elements of Drake in models: constraints between bodies, which close loops."""

import numpy as np

from mb_import.bushings import bushing
from mb_import.machine import LinkJoint
from mb_import.readers.sdf.frames import Frame, Scope
from mb_import.xml_text import Element, number, numbers
from mb_model.space_api import Pose

PREFIX = 'drake:'
_NOT_MOTION = ('drake:collision_filter_group', 'drake:proximity_properties')


def read_constraint(element: Element, scope: Scope, name: str) -> LinkJoint | None:
    """Return the LinkJoint of a Drake element, None with a note for what is none.

    name: what to call it.  The frames that it names are meant to meet.  Raises MechanismError.
    """
    kind = element.tag.removeprefix(PREFIX)
    item = element.tag
    if kind == 'weld_constraint':
        sides = [_frame(element, tag, scope, item) for tag in ('parent', 'child')]
        return _between(scope, name, 'weld', sides, (np.zeros(3), np.zeros(3)))
    if kind in ('ball_constraint', 'distance_constraint'):
        sides = [_frame(element, f'{item}_body_{side}', scope, item) for side in 'AB']
        offsets = [np.array(numbers(element.findtext(f'{item}_p_{side}'), 3, scope.notes, item,
                                    (0.0, 0.0, 0.0))) for side in ('AP', 'BQ')]
        length = 0.0
        if kind == 'distance_constraint':
            length = number(element.findtext(f'{item}_distance'), scope.notes, f'{item}_distance')
            if length <= 0.0:
                raise scope.notes.error(f'{item}_distance', f'{length:g} m must be > 0')
        return _between(scope, name, 'distance' if length else 'spherical', sides,
                        (offsets[0], offsets[1]), length)
    if kind == 'linear_bushing_rpy':
        return _bushing(element, scope, name)
    if element.tag not in _NOT_MOTION:
        scope.notes.left_out(element.tag, 'is no joint; a loop that it closes can be said in '
                                          'import.loops')
    return None


def _bushing(element: Element, scope: Scope, name: str) -> LinkJoint | None:
    item = element.tag
    ends = []
    for side in 'AC':
        frame = _frame(element, f'drake:bushing_frame{side}', scope, item)
        home = scope.frames.frame(frame.link).pose
        ends.append((frame.link, home.inverse().then(frame.pose)))
    force, torque = (numbers(element.findtext(f'drake:bushing_{what}_stiffness'), 3, scope.notes,
                             f'{item}: {what}_stiffness') for what in ('force', 'torque'))
    return bushing(name, ends, force, torque, scope.notes, item)


def _frame(element: Element, tag: str, scope: Scope, item: str) -> Frame:
    if not (text := (element.findtext(tag) or '').strip()):
        raise scope.notes.error(item, f'has no <{tag}>')
    frame = scope.frame(text, item)
    if not frame.link:
        raise scope.notes.error(item, f'{text[:80]!r} is fixed in no link')
    return frame


def _between(scope: Scope, name: str, kind: str, sides: list[Frame],
             offsets: tuple[np.ndarray, np.ndarray], length: float = 0.0) -> LinkJoint:
    """Return a joint between points of two frames."""
    first, second = (scope.frames.frame(side.link).pose.inverse().then(side.pose).then(
        Pose(offset, np.eye(3))) for side, offset in zip(sides, offsets, strict=True))
    return LinkJoint(name, kind, (sides[0].link, sides[1].link), (first, second), length=length)
