"""A mechanism as a tree of links and joints of one degree of freedom each: loops are cut.

A link is a body; its frame lies where its joint is, with the axes of the joint there, or of the
body in the plane.  A joint of several degrees of freedom is a chain of joints, with links without
mass between: a ball turns about x, y and z, one after the other; a body that floats moves along
these, too.  So does a section of a body that bends, on the chord of it: it moves and turns as the
body is bent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_import.machine import WORLD
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, Hinge, body_tree, quaternion, single

CONTINUOUS, PRISMATIC, FIXED = 'continuous', 'prismatic', 'fixed'       # kinds, in URDF's words
# Parent, child, origin [m] and quaternion x, y, z, w of the child's frame in the parent's.
Frame = tuple[str, str, tuple[float, ...], tuple[float, ...]]
_STILL, _Z = np.eye(3), np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class RobotLink:
    """A body ('': between joints, without mass), with a frame that is fixed to it.

    origin (3) [m], axes as columns (3, 3): of the link's frame in the body's.
    """

    name: str
    body: str = ''
    origin: FloatArray = field(default_factory=lambda: np.zeros(3))
    axes: FloatArray = field(default_factory=lambda: np.eye(3))


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """Holds the link `child` to the link `parent`.

    origin (3) [m], turn (3, 3): of the joint's frame in the parent's; the child's frame lies there
    when the joint is at zero; axis (3): in that frame.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: FloatArray
    turn: FloatArray
    axis: FloatArray

    def transform(self, value: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return where the child's frame is in the parent's: origin (3) [m], x, y, z, w."""
        origin, turn = self.origin, self.turn
        if self.kind == PRISMATIC:
            origin = origin + turn @ (value * self.axis)
        elif self.kind == CONTINUOUS:
            cross = np.cross(np.eye(3), self.axis)      # cross @ a is axis x a
            turn = turn @ (np.eye(3) + np.sin(value) * cross
                           + (1.0 - np.cos(value)) * cross @ cross)
        w, x, y, z = quaternion(turn).tolist()
        return tuple(origin.tolist()), (x, y, z, w)


@dataclass(frozen=True, eq=False)
class RobotTree:
    """Links, the first one the ground, joints, parents before children, and how bodies hang.

    chains: for each body that is carried, its Hinge and the names of its joints; closures: joints
    of the mechanism that close loops.
    """

    links: tuple[RobotLink, ...]
    joints: tuple[RobotJoint, ...]
    chains: tuple[tuple[Hinge, tuple[str, ...]], ...]
    closures: tuple[Any, ...]

    @property
    def moving(self) -> tuple[RobotJoint, ...]:
        """The joints that are not fixed."""
        return tuple(joint for joint in self.joints if joint.kind != FIXED)


def robot_tree(mechanism: Mechanism) -> RobotTree:
    """Return the RobotTree of a mechanism; raises MechanismError for bodies without support."""
    planar = mechanism.dimension == 2
    links = {GROUND: RobotLink(mechanism.name)}
    names = _Names(mechanism)
    order, joints, chains = [links[GROUND]], [], []
    tree = body_tree(mechanism)
    for hinge in tree.hinges:
        frame, other = hinge.sides
        own = RobotLink(names.link(hinge.group), hinge.group, other.origin,
                        _STILL if planar else other.axes)
        parent = links[hinge.parent]
        origin, turn = parent.axes.T @ (frame.origin - parent.origin), parent.axes.T @ frame.axes
        motions = [_of_motion(motion) for motion in single(hinge.chain)]
        chain = names.joints(hinge)
        for k, (name, (kind, axis, before, behind)) in enumerate(zip(
                chain, motions or [(FIXED, _Z, _STILL, _STILL)], strict=True)):
            last = k + 1 >= len(motions)
            child = own if last else RobotLink(names.between(hinge, name))
            # In the plane links have the axes of their bodies, those between of the one before.
            turn = turn @ before
            settled = (_STILL if not planar else behind @ other.axes.T if last else turn.T)
            joints.append(RobotJoint(name, kind, parent.name, child.name, origin, turn @ settled,
                                     settled.T @ axis))
            order.append(child)
            parent, origin, turn = child, np.zeros(3), settled.T @ behind
        links[hinge.group] = own
        chains.append((hinge, tuple(chain)))
    return RobotTree(tuple(order), tuple(joints), tuple(chains), tuple(tree.closures))


def _of_motion(motion):
    """Return (kind, axis, turn before it, turn behind it) of the joint for a Motion."""
    kind, axis = PRISMATIC if motion.slides else CONTINUOUS, motion.before[:, 2]
    sense = -1.0 if motion.backwards else 1.0
    if np.array_equal(motion.before @ motion.after, _STILL):
        return kind, sense * axis, _STILL, _STILL
    return kind, sense * _Z, motion.before, motion.after


class _Names:
    """Names of links and joints, each once.

    In space joints have the names of the file.  In the plane a joint that measures the same as a
    coordinate of the file has the coordinate's name, others are called by their bodies.
    """

    def __init__(self, mechanism: Mechanism):
        self._described, self._planar = mechanism.described, mechanism.dimension == 2
        self._links, self._joints = {WORLD, mechanism.name}, {*mechanism.coordinates}
        self._coordinates = {(one.kind, one.bodies or one.points): name for name, one
                             in self._described.coordinates.items()} if self._planar else {}

    def link(self, name: str) -> str:
        """Return the name of the link of a body."""
        return _free(name, self._links)

    def between(self, hinge: Hinge, joint: str) -> str:
        """Return the name of the link behind a joint of a chain."""
        return _free(f'{hinge.group}_slider' if self._planar else f'{joint}_link', self._links)

    def joints(self, hinge: Hinge) -> Sequence[str]:
        """Return the names of the joints of a Hinge."""
        motions = single(hinge.chain)
        if not self._planar:
            start = hinge.group if hinge.joint is None else hinge.joint.name
            return [f'{start}_{motion.name}' for motion in motions] if len(motions) > 1 else [start]
        body, names = hinge.group, []
        for motion in motions or (None,):
            if motion and motion.slides and hinge.joint:
                points = self._described.constraints[hinge.joint.constraints[0]].points
                measured, other = ('slider', points), f'{body}_slide'
            else:
                measured = (('angle', (body,)) if hinge.parent == GROUND else
                            ('relative_angle', (hinge.parent, body)))
                other = f'{body}_joint'
            known = self._coordinates.get(measured) if motion else None
            names.append(known or _free(other, self._joints))
        return names


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    while name in taken:
        name += '_'
    taken.add(name)
    return name
