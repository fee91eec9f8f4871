"""Joints and oil as one state for integrators, compiled.

joints: a NamedTuple with places x, rates v, accelerations a, and forces, which have oil and motion.
"""

from mb_model.jit import entry, kernel
from mb_simulation.prototypes.parts.oil import oil_rates, set_supply


@entry
def set_state(joints, y):
    """Put places and rates of the joints, pressures of volumes and spools where y says."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    for k in range(count):
        joints.x[k], joints.v[k] = y[k], y[count + k]
    for k in range(volumes):
        oil.p[k] = y[2 * count + k]
    for k in range(len(oil.spool)):
        oil.spool[k] = y[2 * count + volumes + k]
    set_supply(oil)


@entry
def get_state(joints, y):
    """Write places and rates of the joints, pressures of volumes and spools to y."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    for k in range(count):
        y[k], y[count + k] = joints.x[k], joints.v[k]
    for k in range(volumes):
        y[2 * count + k] = oil.p[k]
    for k in range(len(oil.spool)):
        y[2 * count + volumes + k] = oil.spool[k]


@kernel
def get_rates(joints, out):
    """Write the rates of get_state's y to out, with accelerations as MuJoCo found them."""
    count, forces = len(joints.x), joints.forces
    spools = 2 * count + len(forces.oil.hose)
    for k in range(count):
        out[k], out[count + k] = joints.v[k], joints.a[k]
    oil_rates(forces.oil, forces.motion[0], forces.motion[1], out[2 * count:spools], out[spools:])
