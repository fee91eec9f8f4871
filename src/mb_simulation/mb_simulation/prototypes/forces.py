"""Forces of the MuJoCo prototype, compiled: from a file's laws and the oil to joints of its tree.

Springs, dampers, constant forces, loads, drives, pressures and end stops are applied to the joints.
Dry friction is MuJoCo's own: a tendon over all joints with a `frictionloss`, whose coefficients are
the derivatives of the rubbing coordinate by the joints.  MuJoCo's solver finds the force, up to the
loss, that stops the tendon; its command is how large the loss is:

    w = |v| / v_t <= 1:  F_s,       w > 1:  F_c + (F_s - F_c) w / (w^2 / 4 + 3/4)^2

the curve of Brown and McPhee 2016 for sliding, which mechanism files use; cylinders add
|p_piston - p_rod| C1 + (p_rod - p_atm) C2.  What stands sticks.
"""

from typing import NamedTuple

import numpy as np

from mb_model.jit import kernel
from mb_simulation.prototypes.parts.laws import Laws, add_laws, friction_loss
from mb_simulation.prototypes.parts.oil import Oil, cylinder_force, stop_force
from mb_simulation.prototypes.tree_kernels import Tree, joint_forces, move, write_directions


class Loads(NamedTuple):
    """Forces and moments (l) on bodies."""

    row: np.ndarray         # place in q of x of the body's first point (l)
    body: np.ndarray        # in the tree (l)
    at: np.ndarray          # place in the body's frame, complex (l) [m]
    force: np.ndarray       # complex (l) [N]
    moment: np.ndarray      # (l) [N m]
    turning: np.ndarray     # whether the force turns with the body (l)


class Rubbing(NamedTuple):
    """Dry friction (f) on coordinates, in MuJoCo's tendons."""

    row: np.ndarray         # place of the coordinate in q (f)
    values: np.ndarray      # F_c, F_s, v_t, C1, C2 (f, 5)
    side: np.ndarray        # places of oil at the piston and the rod (f, 2); any without pressures
    tendon: np.ndarray      # in MuJoCo's model (f)
    place: np.ndarray       # of the coefficients of joints there (f, j)
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
    motion: np.ndarray      # q, qd and scratch (3, r), places of fixed points in them
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
        rubbing.coefficients[rubbing.place[f, s]] = share[s]
    rubbing.losses[rubbing.tendon[f]] = friction_loss(
        rubbing.values[f], qd[rubbing.row[f]], forces.oil.p, rubbing.side[f])
