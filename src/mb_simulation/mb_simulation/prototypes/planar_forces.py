"""Forces of the MuJoCo prototype in the plane, compiled: from laws and oil to joints of its tree.

Springs, dampers, constant forces, loads, drives, pressures and end stops are applied to the joints,
anew in each stage of a step.  Dry friction is MuJoCo's own: a tendon over all joints with a
`frictionloss`, whose coefficients are the derivatives of the rubbing coordinate by the joints.
MuJoCo's solver finds the force, up to the loss, that stops the tendon; its command is how large the
loss is:

    w = |v| / v_t <= 1:  F_s,       w > 1:  F_c + (F_s - F_c) w / (w^2 / 4 + 3/4)^2

the curve of Brown and McPhee 2016 for sliding, which mechanism files use; cylinders add
|p_piston - p_rod| C1 + (p_rod - p_atm) C2.  What stands sticks.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.jit import entry, kernel
from mb_simulation.prototypes.joint_steps import (
    EVERYTHING,
    STAGES,
    begin,
    finish,
    forward,
    get_rates,
    go_on,
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
from mb_simulation.prototypes.tree_kernels import Tree, joint_forces, move, write_directions


class Loads(NamedTuple):
    """Forces and moments (l) on bodies."""

    row: np.ndarray         # index in q of x of the body's first point (l)
    body: np.ndarray        # in the tree (l)
    at: np.ndarray          # offset in the body's frame, complex (l) [m]
    force: np.ndarray       # complex (l) [N]
    moment: np.ndarray      # (l) [N m]
    turning: np.ndarray     # whether the force turns with the body (l)


class Rubbing(NamedTuple):
    """Dry friction (f) on coordinates, in MuJoCo's tendons."""

    row: np.ndarray         # index of the coordinate in q (f)
    values: np.ndarray      # F_c, F_s, v_t, C1, C2 (f, 5)
    side: np.ndarray        # oil nodes at the piston and the rod (f, 2); any without pressures
    tendon: np.ndarray      # in MuJoCo's model (f)
    index: np.ndarray       # of the coefficients of joints there (f, j)
    coefficients: np.ndarray        # MuJoCo's own, of all tendons
    losses: np.ndarray      # MuJoCo's own, of all tendons [N or N m]


class Forces(NamedTuple):
    """All forces on a tree of bodies."""

    tree: Tree
    laws: Laws
    loads: Loads
    rubbing: Rubbing
    oil: Oil
    drives: np.ndarray      # forces of drives on coordinates (r)
    motion: np.ndarray      # q, qd and scratch (3, r), positions of fixed points in them
    scratch: np.ndarray     # (r)
    direction: np.ndarray   # of bodies, complex (b); scratch
    moment: np.ndarray      # on bodies (b); scratch
    share: np.ndarray       # of joints in a coordinate (j); scratch


@kernel
def apply_forces(forces, x, xd, applied):
    """At x, xd (j) write the forces on joints to applied (j), and friction to MuJoCo's tendons."""
    motion, total, oil = forces.motion, forces.scratch, forces.oil
    move(forces.tree, x, xd, xd, motion[0], motion[1], motion[2])
    q, qd = motion[0], motion[1]
    write_directions(forces.tree, x, forces.direction)
    for k in range(len(total)):
        total[k] = forces.drives[k]
    forces.moment[:] = 0.0
    add_laws(forces.laws, q, qd, total)
    _add_loads(forces, total)
    for c in range(len(oil.row)):
        k = oil.row[c]
        total[k] += cylinder_force(oil, c, qd[k]) + stop_force(oil, c, q[k], qd[k])
    joint_forces(forces.tree, forces.direction, x, q, total, forces.moment, applied)
    for f in range(len(forces.rubbing.row)):
        _rub(forces, f, x, q, qd)


@kernel
def _add_loads(forces, total):
    """Add loads: each a force at its body's first point, and a moment."""
    loads = forces.loads
    for n in range(len(loads.row)):
        b = loads.body[n]
        direction = forces.direction[b]
        force = loads.force[n] * direction if loads.turning[n] else loads.force[n]
        arm = loads.at[n] * direction
        total[loads.row[n]] += force.real
        total[loads.row[n] + 1] += force.imag
        forces.moment[b] += loads.moment[n] + (arm.conjugate() * force).imag


@kernel
def _rub(forces, f, x, q, qd):
    """Write the derivatives of one coordinate by the joints, and its friction."""
    rubbing, unit, share = forces.rubbing, forces.scratch, forces.share
    unit[:], forces.moment[:] = 0.0, 0.0
    unit[rubbing.row[f]] = 1.0
    joint_forces(forces.tree, forces.direction, x, q, unit, forces.moment, share)
    for s in range(len(share)):
        rubbing.coefficients[rubbing.index[f, s]] = share[s]
    rubbing.losses[rubbing.tendon[f]] = friction_loss(
        rubbing.values[f], qd[rubbing.row[f]], forces.oil.p, rubbing.side[f])


class Joints(NamedTuple):
    """The joints of a MuJoCo model and their forces; arrays are MuJoCo's own (all joints)."""

    model: int              # addresses of MuJoCo's model and data
    data: int
    x: np.ndarray           # joint positions
    v: np.ndarray           # rates
    a: np.ndarray           # accelerations
    applied: np.ndarray     # forces on the machine's joints, which come first (j)
    forced: bool            # whether there are any
    forces: Forces          # which
    stages: np.ndarray      # scratch (4, all)


@entry
def accelerate(joints, outdated):
    """Have MuJoCo find the accelerations; outdated: stages to compute, see mujoco_library."""
    _accelerate(joints, outdated)


@kernel
def _accelerate(joints, outdated):
    """Do as accelerate."""
    if joints.forced:
        count = len(joints.applied)
        apply_forces(joints.forces, joints.x[:count], joints.v[:count], joints.applied)
    forward(joints.model, joints.data, outdated, 1)


@entry
def step(joints, h):
    """Move the joints on by h [s] with the classical Runge-Kutta method.

    Leaves the accelerations of the last stage.
    """
    begin(joints.stages, joints.x, joints.v)
    for weight, share in STAGES:
        go_on(joints.stages, weight, share * h, joints.x, joints.v, joints.a)
        _accelerate(joints, EVERYTHING)
    finish(joints.stages, h, joints.x, joints.v, joints.a)


@entry
def rates(joints, y, out):
    """Write the rates of set_state's y in the state y to out; the joints and the oil go there."""
    set_state(joints, y)
    _accelerate(joints, EVERYTHING)
    get_rates(joints, out)


def lines_of_forces(mechanism: Mechanism) -> list[Any]:
    """Return the forces that are on no coordinate of a mechanism but between points or bodies.
    """
    return [force for force in mechanism.described.forces.values()
            if force.kind != 'load' and not force.coordinate]


class ForceParts:
    """Where the forces of a mechanism act in the motion of its tree.

    Rows of motion: first as in mechanism.model, then lines_of_forces.
    """

    def __init__(self, mechanism: Mechanism, bodies: Sequence[str], joints: int) -> None:
        """Take the mechanism; bodies: of the tree, in order; joints: how many coordinates."""
        self._mechanism, self._bodies, self._joints = mechanism, bodies, joints

    def laws(self) -> Laws:
        """Return the Laws."""
        return laws_of(self._mechanism, self._row)

    def loads(self) -> Loads:
        """Return the Loads."""
        described = self._mechanism.described
        loads = [force for force in described.forces.values() if force.kind == 'load']
        bodies = [self._mechanism.bodies[load.body] for load in loads]
        at = [body.points[load.at] if isinstance(load.at, str) else load.at
              for load, body in zip(loads, bodies, strict=True)]
        return Loads(
            np.array([self._mechanism.point_index(next(iter(body.points))) for body in bodies],
                     int),
            np.array([1 + self._bodies.index(load.body) for load in loads], int),
            _complex(at), _complex([load.force for load in loads]),
            np.array([float(load.moment) for load in loads]),
            np.array([load.turning for load in loads], bool))

    def rubbing(self, oil: Oil, model: mujoco.MjModel) -> Rubbing:
        """Return the Rubbing; oil: Oil, model: MuJoCo's, with a tendon for each over all joints."""
        count = self._joints
        parts, described = rubbing_parts(self._mechanism), self._mechanism.described
        cylinders = list(described.hydraulics.cylinders) if described.hydraulics else []
        rows, sides = [], []
        for name in parts:
            force = described.forces.get(name.removeprefix(FRICTION))
            if force is None:
                k = cylinders.index(name.removeprefix(f'{FRICTION}cylinders/'))
                rows.append(oil.row[k])
                sides.append(oil.side[2 * k:2 * k + 2])
            else:
                rows.append(self._row(force))
                sides.append((0, 0))
        tendons = [model.tendon(name).id for name in parts]
        indices = [first + np.argsort(model.wrap_objid[first:first + count])
                  for first in model.tendon_adr[tendons]]
        return Rubbing(np.array(rows, int), _rows(list(parts.values()), 5),
                       np.array(sides, int).reshape(-1, 2), np.array(tendons, int),
                       np.array(indices, int).reshape(len(tendons), count), model.wrap_prm,
                       model.tendon_frictionloss)

    def _row(self, force: Any) -> int:
        """Return the row of the coordinate that a Force is on."""
        if force.coordinate:
            return self._mechanism.coordinates.index(force.coordinate)
        total = int(self._mechanism.model['n_total'][0])
        return total + [one.name for one in lines_of_forces(self._mechanism)].index(force.name)


def _rows(values: ArrayLike, width: int) -> FloatArray:
    return np.array(values, float).reshape(-1, width)


def _complex(pairs: Iterable[Sequence[float]]) -> NDArray[np.complex128]:
    return np.array([complex(*pair) for pair in pairs], complex)
