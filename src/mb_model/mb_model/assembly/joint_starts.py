"""Where a mechanism in space starts as its joints close, and why they do not, in words."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mb_model.assembly.freedom import CLOSED
from mb_model.assembly.joint_closing import JointClosing
from mb_model.assembly.joint_closures import Gap
from mb_model.assembly.rounded_axes import rounded_hint
from mb_model.assembly.side_by_side import side_by_side
from mb_model.assembly.start_distance import leaves_limits, start_distance
from mb_model.compilation.spatial.layout import size_of
from mb_model.mechanism_file.description import AssemblyError, Description, MechanismError
from mb_model.registry.joints import kind_of
from mb_model.space.joint import Joint

_NEARER = 0.5           # of a distance: a solution is taken in place of another one if so near
_TRIED = 3              # closed positions, the most, from which it is assembled
_MOST = 2               # closures that are named
_PART = 0.3             # of the largest gap: others are named
_HINGES = 30            # with more, no sleeve is tried in place of each
_BESIDE = 0.2           # of the size: farther apart, pins are not beside each other


class JointStarts:
    """The positions in which the joints of a Description in space close."""

    def __init__(self, description: Description) -> None:
        self._description, self._size = description, size_of(description)
        self._closing = JointClosing(description)

    def nearest(self, present: Any) -> Iterator[Description]:
        """Yield Descriptions with poses that close, those nearest to the drawn pose first.

        present: the Mechanism in a doubtful position, which they must be nearer than, or None.
        """
        if not self._closing.supported:
            return
        farthest = np.inf
        if present is not None and not leaves_limits(present, present.q0):
            farthest = _NEARER * start_distance(present, self._description)
        for pose in self._closing.closed[:_TRIED]:
            if pose.distance < farthest:
                yield self._closing.described(pose)

    def in_words(self, error: MechanismError) -> MechanismError:
        """Return the error of a mechanism that does not close, with what is open along what."""
        if not isinstance(error, AssemblyError):
            return error
        size = self._size
        gaps = [gap for gap in self._closing.open_gaps() if gap.size > CLOSED * size] if (
            self._closing.supported) else []
        beside = ''
        if len(self._description.joints) <= _HINGES and (
                not gaps or gaps[0].size < _BESIDE * size):
            beside = side_by_side(self._description, CLOSED * size)
        if not beside and not gaps:
            return error
        head = str(error).partition(': at its nearest')[0]
        why = beside or 'at its nearest to closing, ' + '; '.join(
            _of_gap(gap, self._closing, size) for gap in gaps[:_MOST]
            if gap.size > _PART * gaps[0].size)
        why += rounded_hint(self._description)
        return AssemblyError(f'{head}: {why}', gaps[0].size if gaps else error.residual,
                             error.nearest)


def _of_gap(gap: Gap, closing: JointClosing, size: float) -> str:
    """Return in words how far a closure is open, and along what."""
    joint = gap.joint
    if joint is None:
        return f'{gap.meaning} is {gap.size:.4g} m off'
    loop = ', '.join(closing.loop(gap))
    text = f'{gap.meaning} ({" - ".join(joint.bodies)}) is {_open(gap, joint, size)}'
    return f'{text}; it closes the loop of {loop}' if loop else text


def _open(gap: Gap, joint: Joint, size: float) -> str:
    """Return in words how far a joint is open."""
    kind = kind_of(joint)
    if kind.gap is not None:
        return f'{gap.size:.4g} m off'
    rows = kind.transmits(joint, np.eye(3), np.eye(3), np.zeros(3))[:, :3]
    forces = rows[np.abs(rows).max(axis=1) > 0.0]
    apart, turned = forces.T @ gap.values[:len(forces)], gap.values[len(forces):]
    parts = []
    if np.linalg.norm(apart) > CLOSED * size:
        axis = int(np.abs(apart).argmax())
        along = joint.frames[0][:, axis]
        numbers = ', '.join(f'{value + 0.0:.4g}' for value in np.round(along, 9))
        parts.append(f'{np.linalg.norm(apart):.4g} m open, {abs(apart[axis]):.4g} m of it along '
                     f'{"its axis " if axis == 2 and kind.axis else ""}[{numbers}] of '
                     f'{joint.bodies[0]}')
    if turned.size and np.linalg.norm(turned) > CLOSED * size:
        largest = max(np.linalg.norm(turned[k:k + 3]) for k in range(0, len(turned), 3))
        angle = 2.0 * np.arcsin(min(0.5 * largest / size, 1.0))
        parts.append(f'{angle:.4g} rad ({np.degrees(angle):.3g} degrees) turned')
    return ' and '.join(parts) or f'{gap.size:.4g} m off'
