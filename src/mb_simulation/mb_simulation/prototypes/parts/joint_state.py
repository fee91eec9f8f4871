"""Joints and oil as one state for integrators, compiled.

joints: a NamedTuple with places x, rates v, and forces, which have oil.
"""

from mb_model.jit import entry


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
