"""Coordinates of a planar mechanism from the joints of its tree, and forces back to the joints."""

from cmath import exp
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
from numba import float64
import numpy as np
from numpy.typing import NDArray

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.kernel_api import bound
from mb_model.space_api import GROUND, SpatialTree
from mb_simulation.prototypes.joint_steps import EVERYTHING
from mb_simulation.prototypes.oil import Oil
from mb_simulation.prototypes.planar_forces import (
    ForceParts,
    Forces,
    Joints,
    accelerate,
    lines_of_forces,
    rates,
    step,
)
from mb_simulation.prototypes.pushed import joint_name, joint_names
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
_RUBBING = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON)


class TreeMotion:
    """Maps joints of MuJoCo to q, qd, qdd of a mechanism in the plane, and forces back to them.

    x (j): values of the machine's joints, zero at the start; obstacles' joints come behind them.
    """

    kernels = accelerate, step, rates       # see planar_forces
    pushed = None                           # forces need no actuators

    def __init__(self, mechanism: Mechanism, tree: SpatialTree) -> None:
        """Take a mechanism and its tree."""
        self._mechanism, self._spanned = mechanism, tree
        self._count = len(joint_names(tree))
        self._bodies = [hinge.group for hinge in tree.hinges]
        self._n, total = mechanism.n, int(mechanism.model['n_total'][0])
        rows = total + len(lines_of_forces(mechanism))
        self._motion, self._scratch, self._drives = (np.zeros(size) for size in (
            (3, rows), rows, rows))
        self._motion[0, self._n:total] = mechanism.model['fixed'][0, self._n:total]
        self._tree: Tree | None = None

    def take(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Take a compiled model and its data, at their start or where another one was."""
        self._data = data
        # MuJoCo's own arrays of the machine's joints, which come first.
        self._machine = [values[:self._count] for values in (data.qpos, data.qvel, data.qacc)]
        if self._tree is None:
            names = [model.joint(k).name for k in range(self._count)]
            self._tree = _with_coordinates(
                _shares(self._spanned, names, self._mechanism), self._bodies, self._mechanism)
            self._move = bound(move, (self._tree,), *6 * [float64[::1]])

    def joints(self, mechanism: Mechanism, oil: Oil, model: mujoco.MjModel) -> Joints:
        """Return the joints with the forces of a mechanism of the same geometry, and of its oil."""
        self._mechanism, data = mechanism, self._data
        parts = ForceParts(mechanism, self._bodies, self._count)
        bodies = len(self._tree.start)
        self.forces = Forces(self._tree, parts.laws(), parts.loads(), parts.rubbing(oil, model),
                             oil, self._drives, self._motion, self._scratch,
                             np.zeros(bodies, complex), np.zeros(bodies), np.zeros(self._count))
        forced = bool(mechanism.described.forces or mechanism.drives
                      or mechanism.circuit is not None)
        return Joints(model._address, data._address, data.qpos, data.qvel, data.qacc,
                      data.qfrc_applied[:self._count], forced, self.forces,
                      np.empty((4, len(data.qpos))))

    def weigh(self, model: mujoco.MjModel, find: Any) -> None:
        """Have MuJoCo find the inertia of tendons that rub; find: its accelerations, compiled."""
        if len(self.forces.rubbing.row):        # with coefficients as they are now
            find(EVERYTHING)
            mujoco.mj_setConst(model, self._data)

    def coordinates(self) -> tuple[FloatArray, ...]:
        """Return q, qd, qdd (n)."""
        return self._at(*self._machine)

    def _at(self, x: FloatArray, xd: FloatArray, xdd: FloatArray) -> tuple[FloatArray, ...]:
        """Return q, qd, qdd (n) for joint coordinates, rates and accelerations (j)."""
        self._move(x, xd, xdd, *self._motion)
        return tuple(self._motion[:, :self._n].copy())

    def start_rates(self, model: mujoco.MjModel) -> FloatArray:
        """Return the rates of the joints (j) as the mechanism moves at its start."""
        mechanism, rest = self._mechanism, np.zeros(self._count)
        qd = mechanism.velocity(mechanism.q0, mechanism.zd0)
        columns = [self._at(rest, unit, rest)[1] for unit in np.eye(self._count)]
        # No point of a body that closes a loop follows from these joints: its turning counts too.
        motions = np.vstack((np.transpose(columns), self._tree.turns[1:]))
        turning = [mechanism.body_motion(body, mechanism.q0, qd).angular_velocity[2]
                   for body in self._bodies]
        return np.linalg.lstsq(motions, np.concatenate((qd, turning)), rcond=None)[0]

    def friction(self, number: int) -> float:
        """Return the force of dry friction of a number on its coordinate [N or N m]."""
        data, tendon = self._data, self.forces.rubbing.tendon[number]
        its = (data.efc_type == _RUBBING) & (data.efc_id == tendon)
        return float(data.efc_force[its].sum())

    def joint_load(self, model: mujoco.MjModel, joint: str) -> FloatArray:
        """Refuse; see Prototype."""
        raise ValueError(f'{joint}: what joints transmit is known of machines in space')


def _shares(tree: SpatialTree, names: list[str], mechanism: Mechanism) -> Tree:
    """Return the Tree of bodies and points, without added coordinates."""
    column = {GROUND: 0} | {hinge.group: k for k, hinge in enumerate(tree.hinges, 1)}
    count, joints = len(column), len(names)
    start, turns = np.zeros(count), np.zeros((count, joints))
    carrier, unit = np.full(joints, -1), np.zeros(joints, complex)
    motions = {name: mechanism.body_motion(name, mechanism.q0) for name in column}
    share, moves = {}, {}                   # of points
    origins = {GROUND: (np.zeros(count, complex), np.zeros(joints))}       # and of frames

    def of(body: str, local: complex) -> tuple[NDArray[np.complex128], FloatArray]:
        """Return the shares (b) and slides (j) of a point in the frame of a body."""
        arm, moved = origins[body]
        return arm + local * np.eye(1, count, column[body])[0], moved

    def add_points(body: str, points: Mapping[str, Sequence[float]]) -> None:
        for name, local in points.items():
            if name not in share:
                share[name], moves[name] = of(body, complex(*local))

    add_points(GROUND, {name: point.position for name, point in mechanism.points.items()
                        if point.fixed})
    for row, hinge in enumerate(tree.hinges, 1):
        above = column[hinge.parent]
        axes = motions[hinge.group].rotation
        start[row], turns[row] = np.arctan2(axes[1, 0], axes[0, 0]), turns[above]
        positions, frames = (one[:2] for one in (hinge.joint.offsets, hinge.joint.frames))
        held, hung = (complex(*position[:2]) for position in positions)
        arm, moved = of(hinge.parent, held)
        turned = False
        for motion in hinge.chain:
            k = names.index(joint_name(hinge, motion))
            if not motion.slides:
                turns[row, k], turned = 1.0, True
                continue
            carrier[k] = row if turned else above
            direction = frames[1] @ motion.after.T if turned else frames[0] @ motion.before
            unit[k] = complex(*direction[:2, 2])
            moved = moved.copy()
            moved[k] = 1.0
            own, carried = (motions[body].position_of(offset) for body, offset in zip(
                (hinge.parent, hinge.group), positions, strict=True))
            arm[carrier[k]] += complex(*(carried - own)[:2]) * exp(-1j * start[carrier[k]])
        arm[row] -= hung
        origins[hinge.group] = arm, moved
        add_points(hinge.group, mechanism.bodies[hinge.group].points)
    points = [name for name in share if any(
        name in body.points for body in mechanism.bodies.values())]
    return Tree(start, turns, np.array([share[p] for p in points]),
                np.array([moves[p] for p in points]), carrier, unit,
                np.array([mechanism.point_index(p) for p in points]), *(np.empty(0),) * 4)


def _with_coordinates(shares: Tree, bodies: list[str], mechanism: Mechanism) -> Tree:
    """Return a Tree with the added coordinates of a mechanism and of forces on lines."""
    described, total = mechanism.described.coordinates, int(mechanism.model['n_total'][0])
    first = mechanism.n - len(described)
    added = [(first + k, _KINDS[one.kind], one, mechanism.q0[first + k])
             for k, one in enumerate(described.values())]
    for k, force in enumerate(lines_of_forces(mechanism), total):
        added.append((k, DISTANCE if force.points else RELATIVE_ANGLE, force, None))
    index, offset = np.zeros((len(added), 3), int), np.zeros(len(added))
    for k, (_, _, one, at_start) in enumerate(added):
        if one.bodies:
            indices = [1 + bodies.index(body) for body in one.bodies]
            angle = shares.start[indices[-1]]
            if len(indices) > 1:
                angle = angle - shares.start[indices[0]]
            if at_start is not None:    # coordinates count turns; forces on lines are not in q
                offset[k] = at_start - angle
        else:
            indices = [mechanism.point_index(point) for point in one.points]
        index[k, :len(indices)] = indices
    rows, kinds = (np.array([one[k] for one in added], int) for k in (0, 1))
    return shares._replace(kind=kinds, index=index, offset=offset, row=rows)
