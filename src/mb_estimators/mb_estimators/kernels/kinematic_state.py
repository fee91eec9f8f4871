"""Kinematics as a model: a force on each degree of freedom makes the accelerations of the filter.

The states are z, zd, zdd, and the jerk where it is one; f.x has the last two.  With the forces that
inverse dynamics ask for beside the known ones, f.force, the multibody model moves as the filter
says, whatever its masses are, and these forces are what a second stage needs.
"""

from numba import njit

from mb_estimators.kernels.correction import add_force
from mb_estimators.kernels.observation import observe
from mb_model.kernels.matrix_r import forward_dynamics
from mb_sensors.kernels.measurement import reads_accelerations


@njit(cache=True)
def start_kinematics(models, works, filters):
    """At work.q, qd, known forces: rest the accelerations."""
    model, work, f = models[0], works[0], filters[0]
    for k in range(model.g):
        f.x[2 * model.g + k], f.x[3 * model.g + k] = 0.0, 0.0
    for channel in range(f.readings.size):
        f.readings[channel] = float('nan')
    begin_forces(model, work, f)


@njit(cache=True)
def begin_forces(model, work, f):
    """Where work.forces are the known ones alone: add those that the accelerations need.

    Returns False at a singular position.
    """
    for k in range(model.g):
        f.force[k] = 0.0
    if not forward_dynamics(model, work):
        return False
    impose_accelerations(model, work, f)
    return True


@njit(cache=True)
def impose_accelerations(model, work, f):
    """After forward_dynamics: change the forces so that zdd is that of the filter."""
    for k in range(model.g):
        f.dx[2 * model.g + k] = f.x[2 * model.g + k] - work.zdd[k]
    add_force(model, work, f)


@njit(cache=True)
def observe_kinematics(model, work, channels, f, readings):
    """Compare readings with the model, see observe; write f.H with zdd as a state of its own.

    The answer of the dynamics to z and zd, A and B, is taken out of what accelerometers feel: the
    accelerations are those of the filter.  Returns False at a singular position.
    """
    if not observe(model, work, channels, f, readings):
        return False
    g = model.g
    for row in range(f.count):
        if not reads_accelerations(channels[f.present[row]]):
            continue
        for k in range(g):
            for j in range(g):
                f.H[row, k] -= f.H[row, 2 * g + j] * work.A[j, k]
                f.H[row, g + k] -= f.H[row, 2 * g + j] * work.B[j, k]
    return True
