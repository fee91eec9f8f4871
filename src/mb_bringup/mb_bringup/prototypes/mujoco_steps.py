"""Steps of joints that MuJoCo accelerates, compiled: the classical Runge-Kutta method.

Forces of the file follow the motion within a step, so each of its four stages finds them anew.
"""

from typing import NamedTuple

from numba import njit
import numpy as np

from mb_bringup.prototypes.mujoco_library import EVERYTHING, forward
from mb_bringup.prototypes.runge_kutta import STAGES, begin, finish, go_on
from mb_bringup.prototypes.tree_kernels import Forces, applied_forces


class Joints(NamedTuple):
    """The joints of a MuJoCo model and what acts on them; arrays are MuJoCo's own (all joints)."""

    model: int              # addresses of MuJoCo's model and data
    data: int
    x: np.ndarray           # places
    v: np.ndarray           # rates
    a: np.ndarray           # accelerations
    applied: np.ndarray     # forces on the machine's joints, which come first (j)
    forced: bool            # whether there are any
    forces: Forces          # which
    stages: np.ndarray      # scratch (4, all)
    begin: np.ndarray       # pressures at the beginning of a step and its end [Pa] (v)
    end: np.ndarray


@njit(cache=True)
def accelerate(joints, outdated):
    """Have MuJoCo find the accelerations; outdated: what it must compute, see mujoco_library."""
    if joints.forced:
        count = len(joints.applied)
        applied_forces(joints.forces, joints.x[:count], joints.v[:count], joints.applied)
    forward(joints.model, joints.data, outdated, 1)


@njit(cache=True)
def step(joints, h):
    """Move the joints on by h [s], under pressures that change evenly.

    Leaves the accelerations of the last stage.
    """
    pressures = joints.forces.pressures
    begin(joints.stages, joints.x, joints.v)
    for weight, share in STAGES:
        go_on(joints.stages, weight, share * h, joints.x, joints.v, joints.a)
        for n in range(len(pressures)):
            pressures[n] = joints.begin[n] + share * (joints.end[n] - joints.begin[n])
        accelerate(joints, EVERYTHING)
    finish(joints.stages, h, joints.x, joints.v, joints.a)
