"""Forces of the MuJoCo prototype in space, compiled: laws of the file and oil to actuators.

Springs, dampers, constant forces, drives, pressures and end stops are forces of actuators, each on
a coordinate.  Dry friction is MuJoCo's own: the `frictionloss` of a joint, as large as in forces of
the plane.
"""

from collections.abc import Mapping
from typing import NamedTuple

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.jit import entry, kernel
from mb_simulation.prototypes.joint_steps import (
    EVERYTHING,
    FORCES,
    STAGES,
    find_positions,
    find_rates,
    forward,
    get_rates,
    move_positions,
    set_state,
)
from mb_simulation.prototypes.laws import (
    FRICTION,
    Laws,
    add_laws,
    friction_loss,
    laws_of,
    rubbing_parts,
)
from mb_simulation.prototypes.oil import Oil, cylinder_force, stop_force
from mb_simulation.prototypes.pushed import Pushed


class JointRubbing(NamedTuple):
    """Dry friction (f) of joints."""

    row: np.ndarray         # index of the coordinate in q (f)
    values: np.ndarray      # F_c, F_s, v_t, C1, C2 (f, 5), see forces
    side: np.ndarray        # oil nodes at the piston and the rod (f, 2); any without pressures
    dof: np.ndarray         # of the joint in MuJoCo's model (f)
    losses: np.ndarray      # MuJoCo's own, of all joints [N or N m]


class SpatialForces(NamedTuple):
    """All forces on coordinates of a mechanism in space, and its actuators (a)."""

    laws: Laws
    rubbing: JointRubbing
    oil: Oil
    drives: np.ndarray      # forces of drives on coordinates (n)
    motion: np.ndarray      # q, qd (2, n), where actuators are; scratch
    total: np.ndarray       # (n); scratch
    row: np.ndarray         # index in q of the coordinate of an actuator (a)
    start: np.ndarray       # its value where the actuator is at zero (a)
    turn: np.ndarray        # 2 pi of an actuator that counts no whole turns, else 0 (a) [rad]
    lengths: np.ndarray     # MuJoCo's own (a)
    speeds: np.ndarray      # MuJoCo's own (a)
    pushes: np.ndarray      # MuJoCo's own (a)


class SpatialJoints(NamedTuple):
    """The joints of a MuJoCo model and their forces; arrays are MuJoCo's own."""

    model: int              # addresses of MuJoCo's model and data
    data: int
    x: np.ndarray           # joint positions, of balls quaternions (x)
    v: np.ndarray           # rates (v)
    a: np.ndarray           # accelerations (v)
    forces: SpatialForces
    begin: np.ndarray       # joint positions where a step begins (x); scratch
    stages: np.ndarray      # rates there and sums of slopes (3, v); scratch


def spatial_forces(mechanism: Mechanism, pushed: Pushed, model: mujoco.MjModel, data: mujoco.MjData,
                   oil: Oil, joints: Mapping[str, int], q: FloatArray) -> SpatialForces:
    """Return the SpatialForces of a mechanism; joints: name of MuJoCo's -> its index in rates.

    q (n): where it is, from which on whole turns are counted.
    """
    described, index_of = mechanism.described, mechanism.coordinates.index
    parts, rows, sides = rubbing_parts(mechanism), [], []
    cylinders = list(described.hydraulics.cylinders) if described.hydraulics else []
    for name in parts:
        kind, _, own = name.removeprefix(FRICTION).rpartition('/')
        k = cylinders.index(own) if kind else -1
        rows.append(index_of(described.forces[own].coordinate) if k < 0 else oil.row[k])
        sides.append((0, 0) if k < 0 else oil.side[2 * k:2 * k + 2])
    rubbing = JointRubbing(
        np.array(rows, int), np.array(list(parts.values()), float).reshape(-1, 5),
        np.array(sides, int).reshape(-1, 2),
        np.array([joints[pushed.joints[mechanism.coordinates[row]]] for row in rows], int),
        model.dof_frictionloss)
    n = mechanism.n
    return SpatialForces(
        laws_of(mechanism, lambda force: index_of(force.coordinate)),
        rubbing, oil, np.zeros(n), np.array([q, np.zeros(n)]), np.zeros(n),
        np.array([index_of(name) for name in pushed.joints], int),
        np.array(list(pushed.at_zero.values()), float),
        np.array([2.0 * np.pi * (name in pushed.turning) for name in pushed.joints], float),
        data.actuator_length,
        data.actuator_velocity, data.ctrl)


@entry
def accelerate(joints, outdated):
    """Have MuJoCo find the accelerations; outdated: stages to compute, see mujoco_library."""
    _accelerate(joints, outdated)


@kernel
def _accelerate(joints, outdated):
    """Do as accelerate."""
    forces = joints.forces
    if outdated == EVERYTHING:
        rubbing = forces.rubbing
        for f in range(len(rubbing.row)):
            rubbing.losses[rubbing.dof[f]] = friction_loss(
                rubbing.values[f], joints.v[rubbing.dof[f]], forces.oil.p, rubbing.side[f])
        find_positions(joints.model, joints.data)
        find_rates(joints.model, joints.data)
    q, qd, total, oil = forces.motion[0], forces.motion[1], forces.total, forces.oil
    total[:] = forces.drives
    for k in range(len(forces.row)):
        value, turn, last = forces.start[k] + forces.lengths[k], forces.turn[k], q[forces.row[k]]
        if turn > 0.0:
            value += turn * np.round((last - value) / turn)
        q[forces.row[k]] = value
        qd[forces.row[k]] = forces.speeds[k]
    add_laws(forces.laws, q, qd, total)
    for c in range(len(oil.row)):
        k = oil.row[c]
        total[k] += cylinder_force(oil, c, qd[k]) + stop_force(oil, c, q[k], qd[k])
    for k in range(len(forces.row)):
        forces.pushes[k] = total[forces.row[k]]
    forward(joints.model, joints.data, FORCES, 1)


@entry
def step(joints, h):
    """Move the joints on by h [s] with the classical Runge-Kutta method, as MuJoCo does itself.

    Slopes of positions are rates; positions move along sums of them, see move_positions.  Leaves
    the accelerations of the last stage.
    """
    v, a, stages = joints.v, joints.a, joints.stages
    joints.begin[:] = joints.x
    stages[0] = v
    stages[1:] = 0.0
    for weight, share in STAGES:
        stages[1] += weight * v
        stages[2] += weight * a
        joints.x[:] = joints.begin
        move_positions(joints.model, joints.x.ctypes.data, v.ctypes.data, share * h)
        v[:] = stages[0] + share * h * a
        _accelerate(joints, EVERYTHING)
    stages[1] += v
    stages[2] += a
    joints.x[:] = joints.begin
    move_positions(joints.model, joints.x.ctypes.data, stages[1].ctypes.data, h / 6.0)
    v[:] = stages[0] + h / 6.0 * stages[2]


@entry
def rates(joints, y, out):
    """Write the rates of set_state's y in the state y to out; the joints and the oil go there."""
    set_state(joints, y)
    _accelerate(joints, EVERYTHING)
    get_rates(joints, out)
