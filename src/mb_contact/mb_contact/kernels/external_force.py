"""Kernels of forces from outside for Python, over arrays of one model, one work and so on."""


from mb_contact.kernels.drives import load_torques
from mb_contact.kernels.momentum import momentum
from mb_contact.kernels.motion import find_motion
from mb_contact.kernels.observer import observe
from mb_model.jit import entry, kernel
from mb_model.kernel_api import inverse_dynamics, reach_position

_reach, _balance, _find_motion = reach_position, inverse_dynamics, find_motion


@kernel
def _move(model, work, z, zd):
    """Go from work.q to z and zd, without zdd; return whether there is such a motion."""
    for k in range(model.g):
        work.z[k], work.zd[k], work.zdd[k] = z[k], zd[k], 0.0
    return _reach(model, work) and _balance(model, work, work.forces)


@entry
def momentum_at(models, works, z, zd, out, rate):
    """See kernels.momentum; returns False where there is no motion."""
    if not _move(models[0], works[0], z, zd):
        return False
    momentum(models[0], works[0], out, rate)
    return True


@entry
def observe_at(models, works, drives, observers, dt, z, zd, torques):
    """See kernels.observer; returns False where there is no motion."""
    load_torques(works[0], drives[0], torques)
    if not _move(models[0], works[0], z, zd):
        return False
    observe(models[0], works[0], drives[0], observers[0], dt)
    return True


@entry
def direct_at(models, works, drives, z, zd, zdd, torques, q):
    """Write works.forces, see kernels.motion; returns False where there is no motion."""
    work = works[0]
    for k in range(models[0].g):
        work.z[k], work.zd[k], work.zdd[k] = z[k], zd[k], zdd[k]
    load_torques(work, drives[0], torques)
    return _find_motion(models[0], work, drives[0].start, q, 0)
