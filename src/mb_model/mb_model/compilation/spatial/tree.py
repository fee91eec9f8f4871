"""The tree of joints of a mechanism: how its rigid groups, in space, hang on each other.

A joint with several coordinates is a chain of joints with one each, bodies without mass between.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
import math
from operator import itemgetter
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.groups import Group
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND
from mb_model.space.joint import Joint
from mb_model.space.motion import BALL, FREE, Motion, backwards, is_ball
from mb_model.space.rotation import across, frame
from mb_model.space.spanning_tree import spanning_tree

_ALONG = 1e-9        # what is left of an axis beside a line
_LAST = math.inf,      # cost


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

    first: number of its first link; ball: how many turns at its end are a ball joint, of a line 2;
    joint: of the mechanism, None: it floats; chain: its motions, also about the line itself.
    """

    group: str
    parent: str
    inner: Frame
    outer: Frame
    motions: tuple[Motion, ...]
    ball: int
    first: int
    joint: Joint | None
    chain: tuple[Motion, ...]

    @property
    def last(self) -> int:
        """Number of the link that carries the group, where it has motions."""
        return self.first + len(self.motions) - 1

    @property
    def sides(self) -> tuple[Frame, Frame]:
        """The frames of the joint, on the parent and on the group, where both are bodies alone."""
        if self.joint is None:
            return STILL, STILL
        here = self.joint.bodies.index(self.parent)
        inner, outer = (Frame(self.joint.frames[side], self.joint.offsets[side])
                        for side in (here, 1 - here))
        return inner, outer

    @property
    def is_ball(self) -> bool:
        """Whether its whole chain is a ball joint."""
        return is_ball(self.chain) and len(self.chain) == len(BALL)


class SpatialTree:
    """A tree of rigid groups.

    description: of the mechanism; hinges: from the ground on; links: joints with one coordinate;
    joints: names of those in it; carriers: group -> number of the link that carries it, -1: the
    ground; frames: group -> its Frame there; closures: the joints beside, but for joints
    that follow from others.
    """

    def __init__(self, description: Any, groups: dict[str, Group],
                 cost: Callable[[Joint], tuple[float, ...] | None], directed: bool = False) -> None:
        """Span it.

        cost(joint): the lowest ones carry groups, None: it closes a loop; directed: a joint carries
        the second of its bodies alone.
        """
        self.description, self._groups, self._directed = description, groups, directed
        self._used = set[str]()         # constraints that joints of the tree stand for
        self.hinges: list[Hinge] = []
        self.links, self.joints = 0, set[str]()
        ground = groups[GROUND].name
        self.carriers, self.frames = {ground: -1}, {ground: STILL}
        costs = {joint.name: cost(joint) for joint in description.joints.values()}
        tied: dict[str, list[Joint]] = {}
        for joint in description.joints.values():
            for name in dict.fromkeys(groups[body].name for body in joint.bodies[:2 - directed]):
                if costs[joint.name] is not None:
                    tied.setdefault(name, []).append(joint)
        free = dict.fromkeys(group.name for group in groups.values())

        def ties(parent: str) -> Iterator[tuple[Any, str, Joint | None]]:
            for joint in tied.get(parent, ()):
                names = [groups[body].name for body in joint.bodies]
                yield costs[joint.name], names[1 - names.index(parent)], joint
            if parent == ground:        # what nothing else carries floats over it
                yield from ((_LAST, name, None) for name in free)

        for group, parent, joint in spanning_tree(ground, ties, lambda joint: (
                joint is not None and not self._used.isdisjoint(joint.constraints))):
            self._add(group, parent, joint)
        self.closures = list(self._left())

    def _left(self) -> Iterator[Joint]:
        """Yield the joints beside, but for joints that follow from others before them."""
        used = set(self._used)
        meeting: dict[str, list[set[str]]] = {}     # point -> groups of bodies that meet there
        for hinge in self.hinges:
            if hinge.joint and hinge.joint.point:
                _join(meeting, hinge.joint)
        joints = list(self.description.joints.values())
        if self._directed:       # from bodies that the tree reaches later to those before
            order = {name: k for k, name in enumerate((GROUND, *(
                hinge.group for hinge in self.hinges)))}
            known = [(*(order[body] for body in joint.bodies), joint) for joint in joints]
            joints = [joint for later, before, joint in sorted(
                known, key=itemgetter(0, 1)) if later > before]
        for joint in joints:
            if (joint.name in self.joints or not used.isdisjoint(joint.constraints)
                    or (joint.point and not joint.constraints and not _join(meeting, joint))):
                continue
            used.update(joint.constraints)
            yield joint

    def _frame(self, joint: Joint, side: int) -> Frame:
        """Return the Frame of a joint in the group of one of its bodies."""
        origin, axes = self._groups[joint.bodies[side]].members[joint.bodies[side]]
        return Frame(axes, origin) @ Frame(joint.frames[side], joint.offsets[side])

    def _add(self, group: str, parent: str, joint: Joint | None) -> None:
        if joint is None:
            inner = outer = STILL
            chain = FREE
        else:
            self.joints.add(joint.name)
            self._used.update(joint.constraints)
            here = [self._groups[body].name for body in joint.bodies].index(parent)
            inner, outer = self._frame(joint, here), self._frame(joint, 1 - here)
            chain = forwards = kind_of(joint).chain(joint)
            if here == 1:
                chain = backwards(forwards)
        motions, ball = chain, 3 if is_ball(chain) else 0
        if ball and joint:      # a ball is the same from both sides
            chain = forwards
        if self._groups[group].slender:
            body = self.description.bodies[group]
            motions, ball, outer = _of_line(body.line, motions, ball, outer)
        hinge = Hinge(group, parent, inner, outer, motions, ball, self.links, joint, chain)
        self.hinges.append(hinge)
        self.links += len(motions)
        if motions:
            self.carriers[group] = hinge.last
            self.frames[group] = Frame(motions[-1].after, np.zeros(3)) @ outer.inverse
        else:
            self.carriers[group] = self.carriers[parent]
            self.frames[group] = self.frames[parent] @ inner @ outer.inverse


def group_tree(description: Any, groups: dict[str, Group]) -> SpatialTree:
    """Return the SpatialTree of rigid groups with the shortest ways to the ground."""
    return SpatialTree(description, groups, lambda joint: None if (
        kind_of(joint).motions is None or kind_of(joint).inner) else (0,))


def _join(meeting: dict[str, list[set[str]]], joint: Joint) -> bool:
    """Let the bodies of a joint meet at its point; return whether they did not before."""
    parts = meeting.setdefault(joint.point, [])
    those = [part for part in parts if not part.isdisjoint(joint.bodies)]
    if any(part.issuperset(joint.bodies) for part in those):
        return False
    meeting[joint.point] = [part for part in parts if part not in those] + [
        set(joint.bodies).union(*those)]
    return True


def _of_line(line: FloatArray, motions: tuple[Motion, ...], ball: int, outer: Frame
             ) -> tuple[tuple[Motion, ...], int, Frame]:
    """Return motions, ball and outer frame for a slender group: without turns about its line."""
    if ball:
        return (*(one for one in motions if one.slides), *BALL[:2]), 2, Frame(
            frame(line, across(line)), outer.origin)
    kept = tuple(one for one in motions if one.slides or np.linalg.norm(
        np.cross(outer.axes @ one.after.T[:, 2], line)) > _ALONG)
    return kept, 0, outer
