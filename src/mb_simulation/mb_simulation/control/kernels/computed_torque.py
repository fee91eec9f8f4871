"""Computed torque: from readings of the drives and the wanted motion to the drives' torques."""

from math import exp

import numpy as np

from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    inverse_dynamics,
    lu_factor,
    lu_solve,
    pass_through_drives,
    reach_position,
)

_inverse, _reach = inverse_dynamics, reach_position

LAW = np.dtype([('h', float),            # control period [s]
                ('stiffness', float),    # [1/s^2]
                ('damping', float),      # [1/s]
                ('cutoff', float),       # of the rates [rad/s]
                ('limit', float)], align=True)     # of a torque [N or N m]


@kernel
def pose_at(driven, driven_works, models, works, drives, z):
    """Write the pose z (g) where the drives (g) are: forward kinematics from the last position on.

    Returns False where there is none.
    """
    other, own, model, work = driven[0], driven_works[0], models[0], works[0]
    for k in range(model.g):
        own.z[k] = drives[k]
    if not _reach(other, own):
        return False
    for row in range(model.n):
        work.q[row] = own.q[row]
    for k in range(model.g):
        z[k] = work.q[model.independent[k]]
    return True


@kernel
def follow_rates(law, z, wanted, last, rates):
    """Low-pass filter the differences of pose and wanted pose: rates (2, g); last (2, g).

    Both by the same filter, so that their difference has no delay where the error is constant.
    """
    h = law[0].h
    share = 1.0 - exp(-law[0].cutoff * h)
    for k in range(len(z)):
        rates[0, k] += share * ((z[k] - last[0, k]) / h - rates[0, k])
        rates[1, k] += share * ((wanted[k] - last[1, k]) / h - rates[1, k])
        last[0, k], last[1, k] = z[k], wanted[k]


@kernel
def torques_at(models, works, law, places, z, wanted, rates, system, pivots, torques):
    """Write the torques (d) that make the error fade like a spring and damper would.

    J^T torques = M_bar (zdd_d + D (rate of e) + K e) + c + g + friction, e = z_d - z; J: rows of R.
    wanted (3, g): pose at this instant; velocities and accelerations half a period later, in the
    middle of the time for which the torques hold.  The dynamics are for that time: at the
    pose there, and at wanted velocities, so that dry friction is not driven by noise.
    Returns False where there is no position or a singular one; torques are zero then.
    """
    model, work = models[0], works[0]
    for k in range(model.g):
        torques[k] = 0.0
        work.z[k] = z[k] + 0.5 * law[0].h * wanted[1, k]
        work.zd[k] = wanted[1, k]
        work.zdd[k] = (wanted[2, k] + law[0].stiffness * (wanted[0, k] - z[k])
                       + law[0].damping * (rates[1, k] - rates[0, k]))
    if not _reach(model, work) or not _inverse(model, work, work.forces):
        return False
    pass_through_drives(model, work)
    for row in range(model.g):
        for column in range(model.g):
            system[row, column] = work.R[places[column], row]
    if lu_factor(system, pivots, model.g) == 0.0:
        return False
    for k in range(model.g):
        torques[k] = work.forces[k]
    lu_solve(system, pivots, torques, model.g)
    for k in range(model.g):
        torques[k] = min(max(torques[k], -law[0].limit), law[0].limit)
    return True


@entry
def control_step(driven, driven_works, models, works, law, places, z, last, rates, system, pivots,
                 drives, wanted, torques):
    """Write pose, rates and torques for readings of the drives (g) and what is wanted (3, g).

    Returns False where there is no position or a singular one.
    """
    if not pose_at(driven, driven_works, models, works, drives, z):
        return False
    follow_rates(law, z, wanted[0], last, rates)
    return torques_at(models, works, law, places, z, wanted, rates, system, pivots, torques)
