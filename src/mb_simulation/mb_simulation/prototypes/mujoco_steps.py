"""Motion of joints that MuJoCo accelerates, compiled.

Forces of the file follow the motion within a step, so each stage of a step finds them anew.
"""

from typing import NamedTuple

import numpy as np

from mb_model.jit import entry, kernel
from mb_simulation.prototypes.forces import Forces, apply_forces
from mb_simulation.prototypes.parts.joint_state import get_rates, set_state
from mb_simulation.prototypes.parts.mujoco_library import EVERYTHING, forward
from mb_simulation.prototypes.parts.runge_kutta import STAGES, begin, finish, go_on


class Joints(NamedTuple):
    """The joints of a MuJoCo model and their forces; arrays are MuJoCo's own (all joints)."""

    model: int              # addresses of MuJoCo's model and data
    data: int
    x: np.ndarray           # places
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
