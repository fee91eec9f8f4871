"""Elements <axis> and <axis2>: direction, limits, dynamics."""

from dataclasses import dataclass
from math import inf, isinf, pi

import numpy as np

from mb_import.notes import Notes
from mb_import.readers.sdf.frames import MODEL, Frame, Scope
from mb_import.readers.sdf.poses import read_flag, unit_vector
from mb_import.xml_text import Element, number, numbers
from mb_model.arrays import FloatArray
from mb_model.file_api import shown
from mb_model.space_api import Pose

_BOUNDLESS = 1e16        # what SDF 1.6 writes for no limit
_IGNORED = ('xyz', 'limit', 'dynamics', 'mimic', 'use_parent_model_frame')


@dataclass(frozen=True)
class Axis:
    """direction (3): in the frame of the joint, a unit vector; else as of a LinkJoint."""

    direction: FloatArray
    lower: float = -inf
    upper: float = inf
    effort: float | None = None
    velocity: float | None = None
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0

    @property
    def actuated(self) -> bool | None:
        """Whether it is: without an effort it is not, and without a limit of it nothing is said."""
        return None if self.effort is None else self.effort > 0.0

    @property
    def is_bare(self) -> bool:
        """Whether nothing is said but its direction."""
        return (isinf(self.lower) and isinf(self.upper) and self.effort is None
                and not (self.stiffness or self.damping or self.friction))


def read_axis(element: Element | None, scope: Scope, joint: Pose, item: str, *,
              continuous: bool = False) -> Axis:
    """Return the Axis of an element; joint: pose of the joint in the world.

    continuous: whether limits of the coordinate mean nothing.  Raises MechanismError.
    """
    notes = scope.notes
    if element is None:
        notes.guessed(item, 'is missing, taken along z of the joint')
        return Axis(np.array([0.0, 0.0, 1.0]))
    limit, dynamics = _child(element, 'limit'), _child(element, 'dynamics')
    lower = _bound(limit, 'lower', -inf, notes, item)
    upper = _bound(limit, 'upper', inf, notes, item)
    if continuous:
        lower, upper = -inf, inf
    if lower >= upper:
        notes.changed(item, f'its limits {lower:g} and {upper:g} have nothing between them: '
                            'read as none')
        lower, upper = -inf, inf
    for child in element:
        if child.tag not in _IGNORED:
            notes.left_out(item, f'<{child.tag}> has no meaning for a mechanism')
    return Axis(_direction(element, scope, joint, item), lower, upper,
                _most(limit, 'effort', notes, item), _most(limit, 'velocity', notes, item),
                _value(dynamics, 'spring_stiffness', notes, item, least=0.0),
                _value(dynamics, 'spring_reference', notes, item),
                _value(dynamics, 'damping', notes, item, least=0.0),
                _value(dynamics, 'friction', notes, item, least=0.0))


def _direction(element: Element, scope: Scope, joint: Pose, item: str) -> FloatArray:
    """Return where an axis points in the joint's frame (3).

    Before SDF 1.7 the model's frame was a choice, and before 1.5 the rule.
    """
    xyz = element.find('xyz')
    text = None if xyz is None else xyz.text
    vector = unit_vector(np.array(numbers(text, 3, scope.notes, f'{item}: xyz', (0.0, 0.0, 1.0))),
                         scope.notes, f'{item}: xyz')
    expressed = '' if xyz is None else xyz.get('expressed_in', '')
    if scope.version < (1, 7) and not expressed and read_flag(
            element.findtext('use_parent_model_frame'), scope.version < (1, 5), scope.notes,
            f'{item}: use_parent_model_frame'):
        expressed = MODEL
    if not expressed:
        return vector
    frame: Frame = scope.frame(expressed, f'{item}: expressed_in')
    return joint.turn.T @ frame.pose.turn @ vector


def _child(element: Element, tag: str) -> Element:
    """Return a child; an empty element if there is none."""
    child = element.find(tag)
    return Element(tag) if child is None else child


def _value(element: Element, tag: str, notes: Notes, item: str, least: float = -inf) -> float:
    value = number(element.findtext(tag), notes, f'{item}: {tag}', 0.0)
    if value < least:
        raise notes.error(f'{item}: {tag}', f'{value:g} must be >= {least:g}')
    return value


def _bound(element: Element, tag: str, default: float, notes: Notes, item: str) -> float:
    """Return a limit of a coordinate, infinite where it is none."""
    text = (element.findtext(tag) or '').strip()
    try:
        value = float(text) if text else default
    except ValueError:
        value = np.nan
    if np.isnan(value):
        raise notes.error(f'{item}: {tag}', f'{shown(text)} must be a number')
    return value if abs(value) < _BOUNDLESS else float(np.copysign(inf, value))


def _most(element: Element, tag: str, notes: Notes, item: str) -> float | None:
    """Return the limit of an effort or velocity, None if there is none: it is < 0, or infinite."""
    value = _bound(element, tag, -1.0, notes, item)
    return None if value < 0.0 or isinf(value) else value


def read_pitch(element: Element, notes: Notes, item: str) -> float:
    """Return the travel of a screw in one turn [m], of a right-handed thread > 0.

    Source: SDF 1.10 says it in screw_thread_pitch; thread_pitch is in radians per metre, > 0 of a
    left-handed thread.
    """
    if (text := element.findtext('screw_thread_pitch')) is not None:
        return numbers(text, 1, notes, f'{item}: screw_thread_pitch', (1.0,))[0]
    if (text := element.findtext('thread_pitch')) is not None:
        old = numbers(text, 1, notes, f'{item}: thread_pitch', (1.0,))[0]
        if old == 0.0:
            raise notes.error(f'{item}: thread_pitch', '0 rad/m is no thread')
        return -2.0 * pi / old
    notes.guessed(item, 'no screw_thread_pitch: 1 m in a turn, the default of SDF')
    return 1.0
