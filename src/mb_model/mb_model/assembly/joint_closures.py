"""The joints that close the loops of a joint tree: how far they are open, and their derivatives."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.joint_tree import JointTree, cross
from mb_model.registry.joints import kind_of
from mb_model.space.joint import Joint

_ROWS = 9           # of a closure: points apart, axes z and axes x apart, along axes of the first


@dataclass(frozen=True)
class Gap:
    """What is open at a closure, or at a relation of coordinates: values (k) [m].

    joint: None of a relation, which meaning names.
    """

    joint: Joint | None
    meaning: str
    values: FloatArray

    @property
    def size(self) -> float:
        """The largest value [m]."""
        return float(np.abs(self.values).max(initial=0.0))


class Closures:
    """The closures of a JointTree, all at once; size: of the mechanism [m], by which angles count.

    A joint of which the kind knows no `gap` is open by what it would transmit: along axes of its
    first frame, the vector between its points; and where it transmits two moments or three,
    differences of the axes z, or z and x, of both frames.  Products of unit vectors would be zero
    also where an axis points backwards.
    """

    def __init__(self, tree: JointTree, size: float) -> None:
        self._tree, self._size = tree, size
        self._own = [joint for joint in tree.closures if kind_of(joint).gap is not None]
        self._alike = [joint for joint in tree.closures if kind_of(joint).gap is None]
        self._sides = [self._side(self._alike, side) for side in (0, 1)]
        self._rows = np.array([_rows_of(joint) for joint in self._alike], bool).reshape(-1, _ROWS)
        self._moved = [carried[:, None].astype(float) for carried in (
            tree.carried[tree.numbers([joint.bodies[side] for joint in self._alike])]
            for side in (0, 1))]

    def _side(self, joints: list[Joint], side: int) -> tuple[FloatArray, ...]:
        """Return (numbers of bodies (k), points (k, 3), frames (k, 3, 3)) of one side of joints."""
        return (self._tree.numbers([joint.bodies[side] for joint in joints]),
                np.array([joint.offsets[side] for joint in joints], float).reshape(-1, 3),
                np.array([joint.frames[side] for joint in joints]).reshape(-1, 3, 3))

    def evaluate(self, frames: FloatArray, twists: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what is open (m) [m] and its derivatives by the values (m, p)."""
        values, first, second, point = self._open(frames)
        rows = np.zeros((len(values), _ROWS, 6))       # angular velocity, then velocity
        axes = first.transpose(0, 2, 1)
        rows[:, :3, 3:] = axes
        rows[:, :3, :3] = cross(point[:, None], axes)
        for k, column in ((3, 2), (6, 0)):
            rows[:, k:k + 3, :3] = self._size * cross(second[:, None, :, column], axes)
        slopes = rows @ twists.T
        slopes = slopes * (self._moved[1] - self._moved[0])
        parts, tangents = [values[self._rows]], [slopes[self._rows]]
        for joint in self._own:
            gap, moved, point = self._own_gap(joint, frames)
            by_twist = np.hstack([moved[:, 3:] + cross(point, moved[:, :3]), moved[:, :3]])
            first_body, second_body = self._tree.numbers(list(joint.bodies))
            carried = self._tree.carried
            parts.append(gap)
            tangents.append(by_twist @ twists.T * (
                carried[second_body].astype(float) - carried[first_body]))
        return np.concatenate(parts), np.concatenate(tangents)

    def gaps(self, frames: FloatArray) -> list[Gap]:
        """Return the Gap of each closure."""
        values = self._open(frames)[0]
        gaps = {joint.name: Gap(joint, f'joints.{joint.name}', one[rows]) for joint, one, rows
                 in zip(self._alike, values, self._rows, strict=True)}
        gaps |= {joint.name: Gap(joint, f'joints.{joint.name}', self._own_gap(joint, frames)[0])
                  for joint in self._own}
        return list(gaps.values())

    def _open(self, frames: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return all rows (k, 9), first and second frames (k, 3, 3) and second points (k, 3)."""
        (first, one), (second, other) = (
            (at[:, :3, :3] @ axes, at[:, :3, 3] + (at[:, :3, :3] @ points[:, :, None])[:, :, 0])
            for at, points, axes in ((frames[bodies], points, axes)
                                     for bodies, points, axes in self._sides))
        between = np.stack([other - one, self._size * (second - first)[:, :, 2],
                            self._size * (second - first)[:, :, 0]], axis=1)
        return (between @ first).reshape(-1, _ROWS), first, second, other

    def _own_gap(self, joint: Joint, frames: FloatArray
                 ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return what a joint of a kind with `gap` is open, its rows (k, 6), its second point."""
        gap = kind_of(joint).gap
        assert gap is not None
        first, second = (frames[self._tree.bodies[body]] for body in joint.bodies)
        one, other = (at[:3, :3] @ offset + at[:3, 3] for at, offset in zip(
            (first, second), joint.offsets, strict=True))
        return (*gap(joint, first[:3, :3] @ joint.frames[0], second[:3, :3] @ joint.frames[1],
                     other - one, self._size), other)


def aligned_axes(joint: Joint) -> tuple[int, ...]:
    """Return which axes of both frames of a joint must point alike: 2 of z, 0 of x."""
    kind = kind_of(joint)
    if kind.gap is not None:
        return ()
    moments = int((np.abs(_transmitted(joint)[:, :3]).max(axis=1) == 0.0).sum())
    return (2, 0)[:max(moments - 1, 0)]


def _rows_of(joint: Joint) -> list[bool]:
    """Return which of the rows count for a joint (9)."""
    along = np.abs(_transmitted(joint)[:, :3]).max(axis=0) > 0.0
    axes = aligned_axes(joint)
    return [*along, *3 * [2 in axes], *3 * [0 in axes]]


def _transmitted(joint: Joint) -> FloatArray:
    """Return what a joint transmits (k, 6) where its frames are the global axes."""
    return kind_of(joint).transmits(joint, np.eye(3), np.eye(3), np.zeros(3))
