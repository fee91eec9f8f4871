"""The momentum observer over one step."""

from math import expm1

from mb_contact.kernels.drives import drive_force
from mb_contact.kernels.momentum import momentum, turn_with_bodies
from mb_model.jit import kernel


@kernel
def share(gain, dt):
    """Return the share of a difference that a first-order lag follows in dt [s]."""
    return -expm1(-gain * dt)


@kernel
def observe(model, work, drives, observer, dt):
    """After inverse_dynamics, dt [s] after the last: write observer.force (g), note the instant.

    Torques of the drives, loaded by load_torques: their mean over the step.  Over a step, the force
    from outside is the change of momentum that drives and model do not explain:
    F = (p1 - p0) / dt - mean of (F_m + C^T zd + R^T Q).  The estimate follows it by
    1 - exp(-gain dt), which is stable at any gain.  The first instant is only noted.
    Source: Mohammad et al. 2025, Eqs. (3), (4), there in continuous time.
    """
    momentum(model, work, observer.new_momentum, observer.new_rate)
    if drives.follows:
        turn_with_bodies(work, drives, observer.new_momentum, observer.new_rate)
    for k in range(model.g):
        drive_before = 0.0
        for d in range(drives.count):
            row = drives.coordinate[d]
            drive_before += observer.jacobian[d, k] * work.coordinate_forces[row]
        if observer.noted:
            known = 0.5 * (observer.rate[k] + observer.new_rate[k] + drive_before)
            outside = (observer.new_momentum[k] - observer.momentum[k]) / dt - known
            observer.force[k] += share(observer.gain[k], dt) * (outside - observer.force[k])
        observer.momentum[k] = observer.new_momentum[k]
        observer.rate[k] = observer.new_rate[k] - drive_force(work, drives, k)
        for d in range(drives.count):
            observer.jacobian[d, k] = work.R[drives.coordinate[d], k]
    observer.noted = 1
