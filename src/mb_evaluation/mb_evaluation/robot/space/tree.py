"""A mechanism in space as a tree of links and joints of one degree of freedom each: loops are cut.

A link is a body; its frame lies where its joint is, with the axes of the joint there.  A joint of
several degrees of freedom is a chain of joints, with links without mass between: a ball turns about
x, y and z, one after the other; a body that floats moves along these, too.  So does a section of a
body that bends, on the chord of it: it moves and turns as the body is bent.
"""

from dataclasses import dataclass, field

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, Hinge, body_tree, quaternion, single, values_of

CONTINUOUS, PRISMATIC, FIXED = 'continuous', 'prismatic', 'fixed'
_STILL, _Z = np.eye(3), np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class SpatialLink:
    """A body ('': between joints, without mass), with a frame that is fixed to it.

    origin (3) [m], axes as columns (3, 3): of the link's frame in the body's.
    """

    name: str
    body: str = ''
    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))


@dataclass(frozen=True, eq=False)
class SpatialRobotJoint:
    """Holds the link `child` to the link `parent`.

    place (3) [m], turn (3, 3): of the joint's frame in the parent's; the child's frame lies there
    when the joint is at zero; axis (3): in that frame.
    """

    name: str
    kind: str
    parent: str
    child: str
    place: np.ndarray
    turn: np.ndarray
    axis: np.ndarray

    def transform(self, value):
        """Return where the child's frame is in the parent's: place (3) [m], x, y, z, w."""
        place, turn = self.place, self.turn
        if self.kind == PRISMATIC:
            place = place + turn @ (value * self.axis)
        elif self.kind == CONTINUOUS:
            cross = np.cross(np.eye(3), self.axis)      # cross @ a is axis x a
            turn = turn @ (np.eye(3) + np.sin(value) * cross
                           + (1.0 - np.cos(value)) * cross @ cross)
        w, x, y, z = quaternion(turn).tolist()
        return tuple(place.tolist()), (x, y, z, w)


@dataclass(frozen=True, eq=False)
class SpatialRobotTree:
    """Links, the first one the ground, joints, and how bodies hang.

    chains: for each body that is carried, its Hinge and the names of its joints.
    """

    links: tuple[SpatialLink, ...]
    joints: tuple[SpatialRobotJoint, ...]
    chains: tuple[tuple[Hinge, tuple[str, ...]], ...]

    @property
    def moving(self) -> tuple[SpatialRobotJoint, ...]:
        """The joints that are not fixed."""
        return tuple(one for one in self.joints if one.kind != FIXED)


def spatial_robot_tree(mechanism: Mechanism) -> SpatialRobotTree:
    """Return the SpatialRobotTree of a mechanism in space."""
    links = {GROUND: SpatialLink(mechanism.name)}
    order, joints, chains, taken = [links[GROUND]], [], [], {'world', mechanism.name}
    for hinge in body_tree(mechanism).hinges:
        frame, other = hinge.sides
        own = SpatialLink(_free(hinge.group, taken), hinge.group, other.origin, other.axes)
        parent, chain = links[hinge.parent], []
        place, turn = parent.axes.T @ (frame.origin - parent.origin), parent.axes.T @ frame.axes
        motions = single(hinge.chain)
        start = hinge.group if hinge.joint is None else hinge.joint.name
        for k, (kind, axis, before, behind, suffix) in enumerate(
                _of_motion(motion) for motion in motions) if motions else [
                    (0, (FIXED, _Z, _STILL, _STILL, ''))]:
            last = k + 1 >= len(motions)
            name = f'{start}_{suffix}' if len(motions) > 1 else start
            child = own if last else SpatialLink(_free(f'{name}_link', taken))
            joints.append(SpatialRobotJoint(name, kind, parent.name, child.name, place,
                                            turn @ before, axis))
            order.append(child)
            chain.append(name)
            parent, place, turn = child, np.zeros(3), behind
        links[hinge.group] = own
        chains.append((hinge, tuple(chain)))
    return SpatialRobotTree(tuple(order), tuple(joints), tuple(chains))


def _of_motion(motion):
    """Return (kind, axis, turn before it, turn behind it, name) of the joint for a Motion."""
    kind, axis = PRISMATIC if motion.slides else CONTINUOUS, motion.before[:, 2]
    sense = -1.0 if motion.backwards else 1.0
    between = motion.before @ motion.after
    if np.array_equal(between, _STILL):
        return kind, sense * axis, _STILL, _STILL, motion.name
    return kind, sense * _Z, motion.before, motion.after, motion.name


def joint_values(mechanism: Mechanism, tree: SpatialRobotTree, q: FloatArray) -> dict[str, float]:
    """Return name -> value of the moving joints at q (n) [rad, m]; angles between -pi and pi."""
    motions = {name: mechanism.body_motion(name, q) for name in (GROUND, *mechanism.bodies)}
    values = {}
    for hinge, names in tree.chains:
        frame, other = hinge.sides
        parent, child = motions[hinge.parent], motions[hinge.group]
        axes = parent.rotation @ frame.axes
        turned = axes.T @ child.rotation @ other.axes
        way = axes.T @ (child.place(other.origin) - parent.place(frame.origin))
        values |= zip(names, values_of(single(hinge.chain), turned, way), strict=False)
    return values


def _free(name, taken):
    """Return a name that is not taken yet, and take it."""
    while name in taken:
        name += '_'
    taken.add(name)
    return name
