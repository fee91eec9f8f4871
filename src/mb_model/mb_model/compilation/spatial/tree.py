"""The tree of joints of a mechanism in space: how its rigid groups hang on each other.

A joint with several coordinates is a chain of joints with one each, bodies without mass between.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.registry.spatial import JOINTS
from mb_model.space.body import GROUND
from mb_model.space.joint import BALL, Motion, slide
from mb_model.space.rotation import across, frame

_FREE = slide('x'), slide('y'), slide('z'), *BALL
_ALONG = 1e-9        # what is left of an axis beside a line


@dataclass(frozen=True)
class Frame:
    """Axes as columns (3, 3) and origin (3) [m] of a frame in another one."""

    axes: FloatArray
    origin: FloatArray

    def __matmul__(self, other: 'Frame') -> 'Frame':
        """Return where a frame is that is `other` in this one."""
        return Frame(self.axes @ other.axes, self.origin + self.axes @ other.origin)

    @cached_property
    def inverse(self) -> 'Frame':
        """The other frame in this one."""
        return Frame(self.axes.T, -self.axes.T @ self.origin)


STILL = Frame(np.eye(3), np.zeros(3))


@dataclass(frozen=True)
class Hinge:
    """How a group hangs on its parent: from the frame `inner` there by motions to `outer` in it.

    first: number of its first link; ball: how many turns there are at its end that are those of a
    ball joint, of a line 2.
    """

    group: str
    parent: str
    inner: Frame
    outer: Frame
    motions: tuple[Motion, ...]
    ball: int
    first: int

    @property
    def last(self) -> int:
        """Number of the link that carries the group, where it has motions."""
        return self.first + len(self.motions) - 1


class SpatialTree:
    """hinges: from the ground on; links: joints with one coordinate; joints: names of those in it.

    carriers: group -> number of the link that carries it, -1: the ground; frames: group -> its
    Frame there.
    """

    def __init__(self, description, groups):
        self._description, self._groups, self._tied = description, groups, {}
        for joint in description.joints.values():
            for name in dict.fromkeys(groups[body].name for body in joint.bodies):
                self._tied.setdefault(name, []).append(joint)
        self.hinges, self.links, self.joints = [], 0, set()
        ground = groups[GROUND].name
        self.carriers, self.frames = {ground: -1}, {ground: STILL}
        names = list(dict.fromkeys(group.name for group in groups.values()))
        order = [ground]
        for name in order:
            order += self._hang(name)
            if len(self.carriers) < len(names) and name == order[-1]:
                free = next(one for one in names if one not in self.carriers)
                self._add(free, ground, STILL, STILL, _FREE)
                order.append(free)

    def _hang(self, parent):
        """Hang on a group what its joints tie to it; return the groups."""
        found = []
        for joint in self._tied.get(parent, ()):
            motions, names = JOINTS[joint.kind].motions, [
                self._groups[body].name for body in joint.bodies]
            if motions is None:
                continue
            here = names.index(parent)
            group = names[1 - here]
            if group in self.carriers:
                continue
            chain = motions(joint) if here == 0 else _backwards(motions(joint))
            self._add(group, parent, self._frame(joint, here), self._frame(joint, 1 - here), chain)
            self.joints.add(joint.name)
            found.append(group)
        return found

    def _frame(self, joint, side):
        """Return the Frame of a joint in the group of one of its bodies."""
        origin, axes = self._groups[joint.bodies[side]].members[joint.bodies[side]]
        return Frame(axes, origin) @ Frame(joint.frames[side], joint.places[side])

    def _add(self, group, parent, inner, outer, motions):
        slender = self._groups[group].slender
        ball = 3 if sum(not motion.slides for motion in motions) == 3 else 0
        if slender:
            body = self._description.bodies[group]
            motions, ball, outer = _of_line(body.line, motions, ball, outer)
        hinge = Hinge(group, parent, inner, outer, motions, ball, self.links)
        self.hinges.append(hinge)
        self.links += len(motions)
        if motions:
            self.carriers[group] = hinge.last
            self.frames[group] = Frame(motions[-1].after, np.zeros(3)) @ outer.inverse
        else:
            self.carriers[group] = self.carriers[parent]
            self.frames[group] = self.frames[parent] @ inner @ outer.inverse


def _backwards(motions):
    """Return the motions of the first body of a joint against the second one."""
    return tuple(Motion(motion.slides, motion.after.T, motion.before.T, motion.pitch)
                 for motion in reversed(motions))


def _of_line(line, motions, ball, outer):
    """Return motions, ball and outer frame for a slender group: without turns about its line."""
    if ball:
        return (*(one for one in motions if one.slides), *BALL[:2]), 2, Frame(
            frame(line, across(line)), outer.origin)
    kept = tuple(one for one in motions if one.slides or np.linalg.norm(
        np.cross(outer.axes @ one.after.T[:, 2], line)) > _ALONG)
    return kept, 0, outer
