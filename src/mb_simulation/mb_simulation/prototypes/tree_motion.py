"""Coordinates of a mechanism from the joints of its tree, and forces back to the joints."""

from cmath import exp, phase

from numba import float64
import numpy as np

from mb_model.kernel_api import bound
from mb_simulation.prototypes.force_parts import ForceParts, lines_of_forces
from mb_simulation.prototypes.forces import Forces
from mb_simulation.prototypes.tree_kernels import (
    ANGLE,
    DISTANCE,
    RELATIVE_ANGLE,
    SLIDER,
    Tree,
    move,
)

_KINDS = {'angle': ANGLE, 'relative_angle': RELATIVE_ANGLE, 'distance': DISTANCE,
          'slider': SLIDER}


def place_of(joint, bodies, places):
    """Return where the body of a joint begins: (origin, pin, angle), complex and radians.

    origin: the place of its frame in the tree; pin: the point it turns about; both in the frame
    of its file, from its first point on [m].  angle: of its x axis at the start.
    bodies: name -> Body; places: point -> complex place at the start [m].
    """
    body = bodies[joint.body]
    first, second = list(body.points)[:2]
    angle = phase(places[second] - places[first])
    if not joint.own_line:
        pin = complex(*body.points[joint.point])
        return pin, pin, angle
    pin = (places[joint.point] - places[first]) * exp(-1j * angle)
    return complex(*body.points[joint.along[0]]), pin, angle


def direction_of(joint, places):
    """Return the direction of a joint's line at the start, a complex number of size 1."""
    along = places[joint.along[1]] - places[joint.along[0]]
    return along / abs(along)


class TreeMotion:
    """Maps joint coordinates x (j) to q, qd, qdd of a mechanism, and forces back to the joints."""

    def __init__(self, tree, joints, mechanism, positions):
        """Prepare the sums.

        tree: BodyTree; joints: the names of the joint coordinates, see joint_names, in the order
        of x; positions: point -> position at the start [m], where all joints are zero.
        """
        self._mechanism = mechanism
        self._bodies = [joint.body for joint in tree.joints]
        self._n, total = mechanism.n, int(mechanism.model['n_total'][0])
        rows = total + len(lines_of_forces(mechanism))
        self._motion, self._scratch, self._drives = (np.zeros(size) for size in (
            (3, rows), rows, rows))
        self._motion[0, self._n:total] = mechanism.model['fixed'][0, self._n:total]
        self._rest = np.zeros(len(joints))
        places = {name: complex(*place) for name, place in positions.items()}
        self._tree = _with_coordinates(_shares(tree, joints, mechanism, places), tree, mechanism)
        self._move = bound(move, (self._tree,), *6 * [float64[::1]])

    def use(self, mechanism):
        """Go on with a mechanism of the same geometry."""
        self._mechanism = mechanism

    def at(self, x, xd, xdd):
        """Return q, qd, qdd (n) for joint coordinates, rates and accelerations (j)."""
        self._move(x, xd, xdd, *self._motion)
        return tuple(self._motion[:, :self._n].copy())

    def start_rates(self, mechanism):
        """Return the joint rates (j) of a mechanism at its start."""
        qd = mechanism.velocity(mechanism.q0, mechanism.zd0)
        columns = [self.at(self._rest, unit, self._rest)[1] for unit in np.eye(len(self._rest))]
        # No point of a body that closes a loop follows from these joints: its turning counts too.
        motions = np.vstack((np.transpose(columns), self._tree.turns[1:]))
        turning = [_body_rate(mechanism, qd, body) for body in self._bodies]
        return np.linalg.lstsq(motions, np.concatenate((qd, turning)), rcond=None)[0]

    def forces(self, oil, model):
        """Return the Forces of the mechanism's file, drives and Oil; model: of MuJoCo."""
        parts = ForceParts(self._mechanism, self._bodies, len(self._rest))
        return Forces(self._tree, parts.laws(), parts.loads(), parts.rubbing(oil, model), oil,
                      self._drives, self._motion, self._scratch,
                      np.zeros(len(self._tree.start), complex), np.zeros(len(self._tree.start)),
                      np.zeros(len(self._rest)))


def joint_names(joint):
    """Return the names of a joint's coordinates in the order in which a simulator applies them."""
    turn = [joint.body] * joint.turns
    slide = [f'{joint.body}/slide'] * bool(joint.along)
    return turn + slide if joint.own_line else slide + turn


def _body_rate(mechanism, qd, body):
    """Return the turning rate of a body at the start with velocities qd (n) [rad/s]."""
    still = np.zeros(2 * len(mechanism.points))
    q, qd = (np.concatenate(parts) for parts in (
        (mechanism.q0, mechanism.model['fixed'][0, mechanism.n:]), (qd, still)))
    first, second = mechanism.body_indices(body)
    (dx, dy), (vx, vy) = (values[second:second + 2] - values[first:first + 2]
                          for values in (q, qd))
    return (dx * vy - dy * vx) / (dx * dx + dy * dy)


def _shares(tree, names, mechanism, places):
    """Return the Tree of bodies and points, without added coordinates."""
    bodies = mechanism.bodies
    column = {None: 0} | {joint.body: k for k, joint in enumerate(tree.joints, 1)}
    count, joints = len(column), len(names)
    start, turns = np.zeros(count), np.zeros((count, joints))
    carrier, unit = np.full(joints, -1), np.zeros(joints, complex)
    share = {name: np.eye(1, count)[0] * places[name]
             for name, point in mechanism.points.items() if point.fixed}
    moves = {name: np.zeros(joints) for name in share}
    for row, joint in enumerate(tree.joints, 1):
        above = column[joint.parent]
        _, pin, start[row] = place_of(joint, bodies, places)
        turns[row] = turns[above]
        if joint.turns:
            turns[row, names.index(joint.body)] = 1.0
        arm, moved = _hanging_point(joint, above, share, moves, places, start, tree, column)
        if joint.along:
            slide = names.index(f'{joint.body}/slide')
            carrier[slide] = row if joint.own_line else above
            unit[slide] = direction_of(joint, places) * exp(-1j * start[carrier[slide]])
            moved = moved.copy()
            moved[slide] = 1.0
        for name, local in bodies[joint.body].points.items():
            if name not in share:
                share[name], moves[name] = arm.copy(), moved
                share[name][row] += complex(*local) - pin
    points = [name for name in share if any(name in body.points for body in bodies.values())]
    return Tree(start, turns, np.array([share[p] for p in points]),
                np.array([moves[p] for p in points]), carrier, unit,
                np.array([mechanism.point_index(p) for p in points]), *(np.empty(0),) * 4)


def _hanging_point(joint, above, share, moves, places, start, tree, column):
    """Return the shares (b) and slides (j) of the point that a joint's body hangs on, unslid."""
    if joint.point in share and (joint.own_line or not joint.along):
        return share[joint.point], moves[joint.point]
    # The pin's place at the start, carried by the parent: from a point of the line on.
    base = joint.along[0]
    arm = share[base].copy()
    arm[above] += (places[joint.point] - places[base]) * exp(-1j * start[above])
    return arm, moves[base]


def _with_coordinates(shares, tree, mechanism):
    """Return a Tree with the added coordinates of a mechanism and of forces on lines."""
    described, total = mechanism.described.coordinates, int(mechanism.model['n_total'][0])
    first, bodies = mechanism.n - len(described), [joint.body for joint in tree.joints]
    added = [(first + k, _KINDS[one.kind], one, mechanism.q0[first + k])
             for k, one in enumerate(described.values())]
    for k, force in enumerate(lines_of_forces(mechanism), total):
        added.append((k, DISTANCE if force.points else RELATIVE_ANGLE, force, None))
    index, offset = np.zeros((len(added), 3), int), np.zeros(len(added))
    for k, (_, _, one, at_start) in enumerate(added):
        if one.bodies:
            places = [1 + bodies.index(body) for body in one.bodies]
            angle = shares.start[places[-1]] - (shares.start[places[0]] if len(places) > 1 else 0)
            if at_start is not None:    # coordinates count turns; no force on a line has a place
                offset[k] = at_start - angle
        else:
            places = [mechanism.point_index(point) for point in one.points]
        index[k, :len(places)] = places
    rows, kinds = (np.array([one[k] for one in added], int) for k in (0, 1))
    return shares._replace(kind=kinds, index=index, offset=offset, row=rows)
