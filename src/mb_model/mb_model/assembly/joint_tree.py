"""The bodies of a mechanism in space on a spanning tree of joints: poses from joint values.

A turn or slide has one value, the joint's: of its second body against the first one.  A ball
joint has a rotation vector (3) from its start, so that no orientation is singular; so has a body
that no joint of the tree carries.  Frames are homogeneous matrices (4, 4).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.compilation.spatial.groups import single_groups, start_poses
from mb_model.compilation.spatial.tree import Frame, Hinge, SpatialTree
from mb_model.mechanism_file.description import Description
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND, Pose
from mb_model.space.joint import Joint
from mb_model.space.motion import single, values_of
from mb_model.space.rotation import rotation

_NO_TURN = 1e-6         # rad: below, the series of the derivative of a turn


@dataclass(frozen=True)
class _Link:
    """A motion, or a ball joint with its start: where it is in the frame of the link before it."""

    parent: int                          # its number + 1; 0: the ground
    before: FloatArray                   # (4, 4)
    motion: Any                          # a Motion; None: a ball joint
    ball: FloatArray                     # (3, 3)
    value: int                           # the first of its values


class JointTree:
    """Joints as a tree, the others cut: `closures`.

    drawn: body -> Pose of the file; start (p): the values next to it; scale (p): size of a value,
    1 rad or of the mechanism [m]; turning (p): whether it is an angle about one axis, which counts
    whole turns; bodies: name -> number in arrays of frames, the ground's is 0; carried (bodies, p):
    which values move a body.
    """

    def __init__(self, description: Description, size: float) -> None:
        named = {one.joint for one in description.coordinates.values()}
        order = {name: k for k, name in enumerate(description.joints)}

        def cost(joint: Joint) -> tuple[float, ...] | None:
            kind = kind_of(joint)
            return None if kind.motions is None else (
                len(single(kind.chain(joint))), joint.name not in named, order[joint.name])

        tree = SpatialTree(description, single_groups(description), cost)
        self.closures, self._hinges = tree.closures, tree.hinges
        self.drawn = start_poses(description)
        self.bodies = {GROUND: 0}
        self._links: list[_Link] = []
        self._first: dict[str, int] = {}     # joint -> its first value
        ends, behind, start, scale = [0], [np.eye(4)], list[float](), list[float]()
        turning = list[bool]()
        for hinge in self._hinges:
            values, ball = _values(hinge, self._relative(hinge))
            if hinge.joint is not None:
                self._first[hinge.joint.name] = len(start)
            parent = self.bodies[hinge.parent]
            link, before = ends[parent], behind[parent] @ _matrix(hinge.inner)
            for k, one in enumerate(_alone(hinge)):
                self._links.append(_Link(link, before @ _turned(one.before), one, np.eye(3),
                                         len(start) + k))
                link, before = len(self._links), _turned(one.after)
                scale.append(size if one.slides else 1.0)
                turning.append(not one.slides and not one.pitch)
            if ball is not None:
                self._links.append(_Link(link, before, None, ball, len(start) + len(values) - 3))
                link, before = len(self._links), np.eye(4)
                scale += 3 * [1.0]
                turning += 3 * [False]
            start += values
            self.bodies[hinge.group] = len(ends)
            ends.append(link)
            behind.append(before @ _matrix(hinge.outer.inverse))
        self.start, self.scale, self.turning = np.array(start), np.array(scale), np.array(
            turning, bool)
        self._ends, self._behind = np.array(ends), np.array(behind)
        self._arrange()

    def _arrange(self) -> None:
        """Note what links have in common, and which values carry which body."""
        single_ones = [one for one in self._links if one.motion is not None]
        self._of_single = np.array([k for k, one in enumerate(self._links)
                                    if one.motion is not None], int)
        self._of_value = np.array([one.value for one in single_ones], int)
        self._sign = np.array([-1.0 if one.motion.backwards else 1.0 for one in single_ones])
        self._slides = np.array([one.motion.slides for one in single_ones], bool)
        self._pitch = np.array([one.motion.pitch for one in single_ones])
        self._before = np.array([one.before for one in self._links]).reshape(-1, 4, 4)
        self._levels = _levels([one.parent for one in self._links])
        count = len(self.start)
        carried = np.zeros((len(self._links) + 1, count), bool)
        for k, one in enumerate(self._links):
            carried[k + 1] = carried[one.parent]
            carried[k + 1, one.value:one.value + (1 if one.motion is not None else 3)] = True
        self.carried: BoolArray = carried[self._ends]

    def value_of(self, joint: str, kind: str) -> int | None:
        """Return which value is the angle or slider of a joint; None: it is none of the tree."""
        for hinge in self._hinges:
            if hinge.joint is not None and hinge.joint.name == joint:
                if hinge.ball or hinge.joint.crosses:
                    return None
                alike = [k for k, one in enumerate(hinge.motions)
                         if one.slides == (kind == 'slider')]
                return self._first[joint] + alike[0] if len(alike) == 1 else None
        return None

    def frames(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the frames of the bodies (bodies, 4, 4), and twists (p, 6) by each value.

        Of a twist of what is carried: angular velocity, then the velocity of the point at the
        global origin.
        """
        moved = np.tile(np.eye(4), (len(self._links), 1, 1))
        value = self._sign * values[self._of_value]
        angle, travel = np.where(self._slides, 0.0, value), np.where(
            self._slides, value, self._pitch * value)
        at = self._of_single
        moved[at, 0, 0] = moved[at, 1, 1] = np.cos(angle)
        moved[at, 1, 0] = np.sin(angle)
        moved[at, 0, 1] = -moved[at, 1, 0]
        moved[at, 2, 3] = travel
        balls = [(k, one) for k, one in enumerate(self._links) if one.motion is None]
        for k, one in balls:
            moved[k, :3, :3] = one.ball @ rotation(values[one.value:one.value + 3])
        local = self._before @ moved
        world = np.empty((len(self._links) + 1, 4, 4))
        world[0] = np.eye(4)
        for links, parents in self._levels:
            world[links + 1] = world[parents] @ local[links]
        axes, origins = np.zeros((len(values), 3)), np.zeros((len(values), 3))
        axes[self._of_value] = self._sign[:, None] * world[at + 1, :3, 2]
        origins[self._of_value] = world[at + 1, :3, 3]
        for k, one in balls:
            part = slice(one.value, one.value + 3)
            turn = values[part]
            axes[part] = (world[k + 1, :3, :3] @ rotation(turn).T @ _rates(turn)).T
            origins[part] = world[k + 1, :3, 3]
        twists = np.hstack([axes, cross(origins, axes)])
        if self._pitch.any():
            twists[self._of_value, 3:] += self._pitch[:, None] * axes[self._of_value]
        sliding = self._of_value[self._slides]
        twists[sliding, :3], twists[sliding, 3:] = 0.0, axes[sliding]
        return world[self._ends] @ self._behind, twists

    def poses_at(self, values: FloatArray) -> dict[str, Pose]:
        """Return body -> Pose, without the ground."""
        frames, _ = self.frames(values)
        return {body: Pose(frames[k, :3, 3], frames[k, :3, :3])
                for body, k in self.bodies.items() if body != GROUND}

    def loop(self, joint: Joint) -> list[str]:
        """Return the names of the joints of the tree that a cut one closes a loop with."""
        first, second = (self._joints_of(body) for body in joint.bodies)
        return [*[name for name in first if name not in second],
                *[name for name in reversed(second) if name not in first]]

    def _joints_of(self, body: str) -> list[str]:
        """Return the names of the joints from a body to the ground."""
        carriers = {hinge.group: hinge for hinge in self._hinges}
        names = []
        while body != GROUND:
            hinge = carriers[body]
            names += [hinge.joint.name] if hinge.joint else []
            body = hinge.parent
        return names

    def numbers(self, bodies: list[str]) -> IntArray:
        """Return the numbers of bodies in arrays of frames."""
        return np.array([self.bodies[name] for name in bodies], int)

    def _relative(self, hinge: Hinge) -> Frame:
        """Return where a hinge's outer frame is in its inner one, as drawn."""
        parent, group = (Frame(pose.turn, pose.at) for pose in (
            self.drawn[hinge.parent], self.drawn[hinge.group]))
        return (parent @ hinge.inner).inverse @ group @ hinge.outer


def _levels(parents: list[int]) -> list[tuple[IntArray, IntArray]]:
    """Return (links, their parents + 1) that are equally far from the ground, the nearest first."""
    far = [0]
    for parent in parents:
        far.append(far[parent] + 1)
    of_link = np.array(far[1:], int)
    levels = [np.flatnonzero(of_link == level) for level in range(1, max(far) + 1)]
    return [(links, np.array(parents, int)[links]) for links in levels]


def cross(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the products first x second of vectors (..., 3)."""
    x, y, z = (first[..., k] for k in range(3))
    a, b, c = (second[..., k] for k in range(3))
    return np.stack([y * c - z * b, z * a - x * c, x * b - y * a], axis=-1)


def _matrix(frame: Frame) -> FloatArray:
    """Return a Frame as a matrix (4, 4)."""
    matrix = _turned(frame.axes)
    matrix[:3, 3] = frame.origin
    return matrix


def _turned(axes: FloatArray) -> FloatArray:
    """Return a turn (3, 3) as a matrix (4, 4)."""
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    return matrix


def _alone(hinge: Hinge) -> tuple[Any, ...]:
    """Return the motions of a hinge with one value each, before its ball."""
    return hinge.motions[:len(hinge.motions) - hinge.ball]


def _values(hinge: Hinge, relative: Frame) -> tuple[list[float], FloatArray | None]:
    """Return the values of a hinge next to a Frame, and the start of its ball (3, 3) or None."""
    alone = _alone(hinge)
    if not hinge.ball:
        values = values_of(single(alone), relative.axes, relative.origin)
        kept, k = [], 0
        for one in alone:
            k += bool(one.pitch)      # of a screw the slide comes first
            kept.append(values[k])
            k += 1
        return kept, None
    turned = np.eye(3)
    for one in alone:
        turned = turned @ one.before @ one.after
    return [*values_of(alone, relative.axes, relative.origin), 0.0, 0.0, 0.0], (
        turned.T @ relative.axes)


def _rates(turn: FloatArray) -> FloatArray:
    """Return J (3, 3): the angular velocity of rotation(turn) is J times the change of turn.

    In the axes before the turn.  Source: Sola et al. 2018 (A micro Lie theory), Eq. (145).
    """
    angle = float(np.linalg.norm(turn))
    matrix = np.array([[0.0, -turn[2], turn[1]], [turn[2], 0.0, -turn[0]],
                       [-turn[1], turn[0], 0.0]])          # matrix @ a is turn x a
    if angle < _NO_TURN:
        return np.eye(3) + 0.5 * matrix
    return (np.eye(3) + (1.0 - np.cos(angle)) / angle ** 2 * matrix
            + (angle - np.sin(angle)) / angle ** 3 * matrix @ matrix)
