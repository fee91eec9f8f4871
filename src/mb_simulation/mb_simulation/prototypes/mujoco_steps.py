"""Motion of joints that MuJoCo accelerates, compiled.

Forces of the file follow the motion within a step, so each stage of a step finds them anew.
"""

from typing import NamedTuple

import numpy as np

from mb_model.jit import entry
from mb_simulation.prototypes.forces import Forces, apply_forces
from mb_simulation.prototypes.mujoco_library import EVERYTHING, forward
from mb_simulation.prototypes.oil import oil_rates
from mb_simulation.prototypes.runge_kutta import STAGES, begin, finish, go_on


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
        accelerate(joints, EVERYTHING)
    finish(joints.stages, h, joints.x, joints.v, joints.a)


@entry
def set_state(joints, y):
    """Put places and rates of the joints, pressures of volumes and spools where y says."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    joints.x[:], joints.v[:] = y[:count], y[count:2 * count]
    oil.p[:volumes] = y[2 * count:2 * count + volumes]
    oil.spool[:] = y[2 * count + volumes:]


@entry
def get_state(joints, y):
    """Write places and rates of the joints, pressures of volumes and spools to y."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    y[:count], y[count:2 * count] = joints.x, joints.v
    y[2 * count:2 * count + volumes] = oil.p[:volumes]
    y[2 * count + volumes:] = oil.spool


@entry
def rates(joints, y, out):
    """Write the rates of set_state's y in the state y to out; the joints and the oil go there."""
    set_state(joints, y)
    accelerate(joints, EVERYTHING)
    count, forces = len(joints.x), joints.forces
    spools = 2 * count + len(forces.oil.hose)
    out[:count], out[count:2 * count] = joints.v, joints.a
    oil_rates(forces.oil, forces.motion[0], forces.motion[1], out[2 * count:spools], out[spools:])
