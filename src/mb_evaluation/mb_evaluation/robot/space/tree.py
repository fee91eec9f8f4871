"""A mechanism in space as a tree of links and joints of one degree of freedom each: loops are cut.

A link is a body; its frame lies where its joint is, with the axes of the joint there.  A joint of
several degrees of freedom is a chain of joints, with links without mass between: a ball turns about
x, y and z, one after the other; a body that floats moves along these, too.  So does a section of a
body that bends, on the chord of it: it moves and turns as the body is bent.
"""

from dataclasses import dataclass, field

import numpy as np

from mb_model import Mechanism
from mb_model.space_api import quaternion
from mb_simulation.prototypes.space.tree import GROUND, spatial_tree

CONTINUOUS, PRISMATIC, FIXED = 'continuous', 'prismatic', 'fixed'
_X, _Y, _Z = np.eye(3)
_QUARTER = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])    # takes z to x


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
    """Links, the first one the ground, joints, and how bodies hang (see spatial_tree).

    chains: for each body that is carried, the names of its joints.
    """

    links: tuple[SpatialLink, ...]
    joints: tuple[SpatialRobotJoint, ...]
    chains: dict[str, tuple[str, ...]]
    carried: tuple

    @property
    def moving(self):
        """The joints that are not fixed."""
        return tuple(one for one in self.joints if one.kind != FIXED)


def spatial_robot_tree(mechanism: Mechanism) -> SpatialRobotTree:
    """Return the SpatialRobotTree of a mechanism in space."""
    links = {GROUND: SpatialLink(mechanism.name)}
    order, joints, chains, taken = [links[GROUND]], [], {}, {'world', mechanism.name}
    for one in spatial_tree(mechanism).carried:
        mine = None if one.joint is None else one.joint.bodies.index(one.body)
        own = (SpatialLink(_free(one.body, taken), one.body) if mine is None else SpatialLink(
            _free(one.body, taken), one.body, one.joint.places[mine], one.joint.frames[mine]))
        steps = steps_of(one)
        parent, place, turn, chain = links[one.parent], *_at(links[one.parent], one), []
        for k, (suffix, kind, axis, before) in enumerate(steps):
            last = k + 1 == len(steps)
            name = (one.joint.name if one.joint else one.body) + suffix
            child = own if last else SpatialLink(_free(f'{name}_link', taken))
            joints.append(SpatialRobotJoint(name, kind, parent.name, child.name, place,
                                            turn @ before, axis))
            order.append(child)
            chain.append(name)
            parent, place, turn = child, np.zeros(3), np.eye(3)
        links[one.body], chains[one.body] = own, tuple(chain)
    return SpatialRobotTree(tuple(order), tuple(joints), chains, spatial_tree(mechanism).carried)


def _at(parent, one):
    """Return place (3) and turn (3, 3) of a joint in the frame of its parent's link."""
    if one.joint is None:
        return np.zeros(3), np.eye(3)
    other = 1 - one.joint.bodies.index(one.body)
    return (parent.axes.T @ (one.joint.places[other] - parent.origin),
            parent.axes.T @ one.joint.frames[other])


def steps_of(one):
    """Return (suffix of the name, kind, axis, turn before it) of each joint that carries a body.

    Along the axis of the mechanism's joint, from its first body to the second.
    """
    still = np.eye(3)
    ball = [(f'_turn_{name}', CONTINUOUS, axis, still)
            for name, axis in zip('xyz', np.eye(3), strict=True)]
    free = [(f'_{name}', PRISMATIC, axis, still)
            for name, axis in zip('xyz', np.eye(3), strict=True)] + ball
    if one.joint is None:
        return free
    z = _Z if one.joint.bodies.index(one.body) == 1 else -_Z
    slide, turn = ('_slide', PRISMATIC, z, still), ('_turn', CONTINUOUS, z, still)
    return {'weld': [('', FIXED, _Z, still)], 'revolute': [('', CONTINUOUS, z, still)],
            'prismatic': [('', PRISMATIC, z, still)], 'cylindrical': [slide, turn],
            'screw': [slide, turn],
            'planar': [('_x', PRISMATIC, _X, still), ('_y', PRISMATIC, _Y, still),
                       ('_turn', CONTINUOUS, _Z, still)],
            'universal': [('_first', CONTINUOUS, _Z, still), ('_second', CONTINUOUS, _Z, _QUARTER)],
            'spherical': ball, 'first_section': ball, 'section': free}[one.joint.kind]


def joint_values(mechanism: Mechanism, tree: SpatialRobotTree, q) -> dict[str, float]:
    """Return name -> value of the moving joints at q (n) [rad, m]; angles between -pi and pi."""
    motions = {name: mechanism.body_motion(name, q) for name in (GROUND, *mechanism.bodies)}
    values = {}
    for one in tree.carried:
        if one.joint is None:
            motion = motions[one.body]
            values |= dict(zip(tree.chains[one.body], [
                *motion.position, *_values('spherical', motion.rotation, None)], strict=True))
            continue
        mine = one.joint.bodies.index(one.body)
        parent, child = motions[one.parent], motions[one.body]
        frame = parent.rotation @ one.joint.frames[1 - mine]
        turn = frame.T @ child.rotation @ one.joint.frames[mine]
        way = frame.T @ (child.place(one.joint.places[mine])
                         - parent.place(one.joint.places[1 - mine]))
        found = _values(one.joint.kind, turn, way)
        if one.joint.kind in ('revolute', 'prismatic', 'cylindrical', 'screw') and mine == 0:
            found = [-value for value in found]
        values |= dict(zip(tree.chains[one.body], found, strict=True)) if found else {}
    return values


def _values(kind, turn, way):
    """Return the values of joints between two frames: the child's turn (3, 3) and way (3)."""
    about = float(np.arctan2(turn[1, 0], turn[0, 0]))
    if kind == 'universal':
        first = float(np.arctan2(turn[1, 2], turn[0, 2]))
        c, s = np.cos(first), np.sin(first)
        rest = _QUARTER.T @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ turn
        return [first, float(np.arctan2(rest[1, 0], rest[0, 0]))]
    if kind == 'section':
        return [*way.tolist(), *_values('spherical', turn, way)]
    if kind in ('spherical', 'first_section'):
        return [float(np.arctan2(-turn[1, 2], turn[2, 2])),
                float(np.arcsin(np.clip(turn[0, 2], -1.0, 1.0))),
                float(np.arctan2(-turn[0, 1], turn[0, 0]))]
    return {'weld': [], 'revolute': [about], 'prismatic': [way[2]], 'cylindrical': [way[2], about],
            'screw': [way[2], about], 'planar': [way[0], way[1], about]}[kind]


def _free(name, taken):
    """Return a name that is not taken yet, and take it."""
    while name in taken:
        name += '_'
    taken.add(name)
    return name
