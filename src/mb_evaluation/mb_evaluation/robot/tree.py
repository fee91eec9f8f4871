"""A mechanism as a tree of links and joints of one degree of freedom each: loops are cut.

A link is a body; its frame lies where its joint is, with the axes of the body.  Around a pin in a
slot lies a link without mass between the joint that turns and the one that slides.
"""

from dataclasses import dataclass
from math import cos, sin

import numpy as np

from mb_model import point_places
from mb_simulation.prototypes.body_tree import tree_of

CONTINUOUS, PRISMATIC, FIXED = 'continuous', 'prismatic', 'fixed'       # kinds, in URDF's words
WORLD = 'world'     # the frame that mechanisms stand in


@dataclass(frozen=True)
class RobotLink:
    """A body, whose frame has its origin at `origin` of the body's own [m]; body '': no mass."""

    name: str
    body: str = ''
    origin: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class RobotJoint:
    """Holds the link `child` to the link `parent`.

    place [m], angle [rad]: of the joint's frame in the parent's; the child's frame lies there
    when the joint is at zero.  axis: in that frame, of a slide.  A joint that turns measures the
    angle of the body `of` against the body `against` ('': the ground); a slide measures the place
    of the last of three `points` along the line from the first to the second.
    """

    name: str
    kind: str
    parent: str
    child: str
    place: tuple[float, float]
    angle: float = 0.0
    axis: tuple[float, float] = (0.0, 0.0)
    of: str = ''
    against: str = ''
    points: tuple[str, ...] = ()

    def pose(self, value):
        """Return where the child's frame is in the parent's: x, y [m], angle [rad]."""
        x, y = self.place
        if self.kind == CONTINUOUS:
            return x, y, self.angle + value
        c, s = cos(self.angle), sin(self.angle)
        along, across = value * self.axis[0], value * self.axis[1]
        return x + c * along - s * across, y + s * along + c * across, self.angle

    def transform(self, value):
        """Return where the child's frame is in the parent's: place (3) [m], x, y, z, w."""
        x, y, angle = self.pose(value)
        return (x, y, 0.0), (0.0, 0.0, sin(0.5 * angle), cos(0.5 * angle))


@dataclass(frozen=True)
class RobotTree:
    """Links, joints (parents before children), and the frame that everything stands in.

    A joint that measures the same as a coordinate of the mechanism file has the coordinate's name.
    """

    root: str
    links: tuple[RobotLink, ...]
    joints: tuple[RobotJoint, ...]

    @property
    def moving(self):
        """The joints that are not fixed."""
        return tuple(joint for joint in self.joints if joint.kind != FIXED)


def robot_tree(mechanism):
    """Return the RobotTree of a Mechanism; raises ValueError for bodies without support."""
    planted = _Planted(mechanism)
    for joint in tree_of(mechanism).joints:
        planted.add(joint)
    return RobotTree(mechanism.name, tuple(planted.links.values()), tuple(planted.joints))


class _Planted:
    """Links and joints so far."""

    def __init__(self, mechanism):
        self.links, self.joints = {None: RobotLink(mechanism.name)}, []
        self._mechanism = mechanism
        self._points = {name: complex(*place) for name, place in zip(
            mechanism.points, point_places(mechanism, mechanism.q0)[0], strict=True)}
        self._coordinates = {(c.kind, c.bodies or c.points): name
                             for name, c in mechanism.described.coordinates.items()}
        self._taken_links, self._taken_joints = {WORLD, mechanism.name}, {*mechanism.coordinates}

    def add(self, joint):
        """Add the links and joints of a Joint of the BodyTree."""
        parent = self.links[joint.parent].name
        name = _free(joint.body, self._taken_links)
        if not joint.along:
            self._link(joint.body, name, joint.point)
            self._turn_or_hold(joint, parent, name, self._place(joint.parent, joint.point))
        elif joint.own_line:
            self._link(joint.body, name, joint.along[0])
            place = self._place(joint.parent, joint.point)
            if joint.turns:
                parent = self._turn_between(joint, parent, place)
                place = (0.0, 0.0)
            axis = -self._direction(joint.body, joint.along)
            self._slide(joint, parent, name, place, 0.0 if joint.turns else self._angle(joint),
                        axis)
        else:
            self._link(joint.body, name, joint.point)
            place, axis = (self._place(joint.parent, joint.along[0]),
                           self._direction(joint.parent, joint.along))
            if joint.turns:
                between = self._between(joint)
                self._slide(joint, parent, between, place, 0.0, axis)
                self._turn_or_hold(joint, between, name, (0.0, 0.0))
            else:
                angle = self._angle(joint)
                self._slide(joint, parent, name, place, angle, axis * np.exp(-1j * angle))

    def _link(self, body, name, point):
        """Add the link of a body, its frame at a point of it."""
        self.links[body] = RobotLink(name, body, self._mechanism.bodies[body].points[point])

    def _between(self, joint):
        """Add the link between a joint that turns and one that slides; return its name."""
        name = _free(f'{joint.body}_slider', self._taken_links)
        self.links[name, ''] = RobotLink(name)
        return name

    def _turn_between(self, joint, parent, place):
        """Add a joint that turns before one that slides; return the link after it."""
        between = self._between(joint)
        self._turn_or_hold(joint, parent, between, place)
        return between

    def _turn_or_hold(self, joint, parent, child, place):
        """Add a joint about a point, fixed if the body keeps its angle."""
        if joint.turns:
            pair = (joint.parent, joint.body) if joint.parent else (joint.body,)
            kind = 'relative_angle' if joint.parent else 'angle'
            self.joints.append(RobotJoint(
                self._name(kind, pair, f'{joint.body}_joint'), CONTINUOUS, parent, child, place,
                of=joint.body, against=joint.parent or ''))
        else:
            self.joints.append(RobotJoint(
                _free(f'{joint.body}_joint', self._taken_joints), FIXED, parent, child, place,
                self._angle(joint)))

    def _slide(self, joint, parent, child, place, angle, axis):
        """Add a joint that slides along a direction, complex, in its own frame."""
        points = (*joint.along, joint.point)
        self.joints.append(RobotJoint(
            self._name('slider', points, f'{joint.body}_slide'), PRISMATIC, parent, child, place,
            angle, (axis.real, axis.imag), points=points))

    def _place(self, body, point):
        """Return the place of a point in the frame of a body's link."""
        if body is None:
            place = self._points[point]
            return place.real, place.imag
        local, origin = self._mechanism.bodies[body].points[point], self.links[body].origin
        return local[0] - origin[0], local[1] - origin[1]

    def _direction(self, body, along):
        """Return the direction of a line in a body's frame, complex."""
        first, second = (complex(*self._mechanism.bodies[body].points[name]) if body
                         else self._points[name] for name in along)
        return (second - first) / abs(second - first)

    def _angle(self, joint):
        """Return the angle of a body against its parent at the start [rad]."""
        axes = [1.0 + 0.0j if body is None else self._axis(body)
                for body in (joint.body, joint.parent)]
        return float(np.angle(axes[0] / axes[1]))

    def _axis(self, body):
        first, second = list(self._mechanism.bodies[body].points)[:2]
        return self._points[second] - self._points[first]

    def _name(self, kind, what, otherwise):
        """Return the name of the coordinate that measures the same, or a free name."""
        return self._coordinates.get((kind, what)) or _free(otherwise, self._taken_joints)


def _free(name, taken):
    """Return a name that is not taken yet, and take it."""
    while name in taken:
        name += '_'
    taken.add(name)
    return name
