"""The tree of joints of a mechanism in space: how its rigid groups hang on each other.

A joint with several coordinates is a chain of joints with one each, bodies without mass between.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.groups import Group, single_groups
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND
from mb_model.space.joint import Joint
from mb_model.space.motion import BALL, FREE, Motion, backwards, is_ball, single
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

    first: number of its first link; ball: how many turns there are at its end that are those of a
    ball joint, of a line 2; joint: of the mechanism, None: it floats; chain: its motions, those of
    a line about itself, too.
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
        inner, outer = (Frame(self.joint.frames[side], self.joint.places[side])
                        for side in (here, 1 - here))
        return inner, outer

    @property
    def is_ball(self) -> bool:
        """Whether its whole chain is a ball joint."""
        return is_ball(self.chain) and len(self.chain) == len(BALL)


class SpatialTree:
    """hinges: from the ground on; links: joints with one coordinate; joints: names of those in it.

    carriers: group -> number of the link that carries it, -1: the ground; frames: group -> its
    Frame there; closures: the joints beside.
    """

    def __init__(self, description: Any, groups: dict[str, Group],
                 cost: Callable[[Joint], tuple[float, ...] | None]) -> None:
        """Span it; cost(joint): the lowest ones carry groups, None: it closes a loop."""
        self._description, self._groups = description, groups
        self.hinges: list[Hinge] = []
        self.links, self.joints = 0, set[str]()
        ground = groups[GROUND].name
        self.carriers, self.frames = {ground: -1}, {ground: STILL}
        costs = {joint.name: cost(joint) for joint in description.joints.values()}
        tied: dict[str, list[Joint]] = {}
        for joint in description.joints.values():
            for name in dict.fromkeys(groups[body].name for body in joint.bodies):
                if costs[joint.name] is not None:
                    tied.setdefault(name, []).append(joint)
        free = dict.fromkeys(group.name for group in groups.values())

        def ties(parent):
            for joint in tied.get(parent, ()):
                names = [groups[body].name for body in joint.bodies]
                yield costs[joint.name], names[1 - names.index(parent)], joint
            if parent == ground:        # what nothing else carries floats over it
                yield from ((_LAST, name, None) for name in free)

        for group, parent, joint in spanning_tree(ground, ties):
            self._add(group, parent, joint)
        self.closures = [joint for name, joint in description.joints.items()
                         if name not in self.joints]

    def _frame(self, joint, side):
        """Return the Frame of a joint in the group of one of its bodies."""
        origin, axes = self._groups[joint.bodies[side]].members[joint.bodies[side]]
        return Frame(axes, origin) @ Frame(joint.frames[side], joint.places[side])

    def _add(self, group, parent, joint):
        if joint is None:
            inner = outer = STILL
            chain = FREE
        else:
            self.joints.add(joint.name)
            here = [self._groups[body].name for body in joint.bodies].index(parent)
            inner, outer = self._frame(joint, here), self._frame(joint, 1 - here)
            chain = forwards = kind_of(joint).chain(joint)
            if here == 1:
                chain = backwards(forwards)
        motions, ball = chain, 3 if is_ball(chain) else 0
        if ball and joint:      # a ball is the same from both sides
            chain = forwards
        if self._groups[group].slender:
            body = self._description.bodies[group]
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


def body_tree(mechanism: Any) -> SpatialTree:
    """Return the SpatialTree of the bodies of a mechanism in space, for programs with loops cut.

    Joints carry bodies first that cannot close loops by places that meet, of these the ones with
    the fewest motions, and those with coordinates.
    """
    description = mechanism.described
    known = {one.joint for one in description.coordinates.values()}

    def cost(joint):
        kind = kind_of(joint)
        if kind.motions is None:
            return None
        return (not kind.inner, bool(kind.held), 0 if kind.inner else len(
            single(kind.chain(joint))), joint.name not in known, order[joint.name])

    order = {name: k for k, name in enumerate(description.joints)}
    return SpatialTree(description, single_groups(description), cost)


def _of_line(line, motions, ball, outer):
    """Return motions, ball and outer frame for a slender group: without turns about its line."""
    if ball:
        return (*(one for one in motions if one.slides), *BALL[:2]), 2, Frame(
            frame(line, across(line)), outer.origin)
    kept = tuple(one for one in motions if one.slides or np.linalg.norm(
        np.cross(outer.axes @ one.after.T[:, 2], line)) > _ALONG)
    return kept, 0, outer
