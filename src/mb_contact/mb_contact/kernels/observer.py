"""The momentum observer over one step."""

from math import exp, expm1, sqrt

from mb_contact.kernels.drives import drive_force
from mb_contact.kernels.momentum import momentum, turn_with_bodies
from mb_model.jit import kernel

FIRST_ORDER, EXTENDED_STATE, SLIDING_MODE = 0, 1, 2      # laws of following

_STEEP, _FAST = 1.5, 1.1        # of the super-twisting law, by the root of the rate, and by it


@kernel
def share(gain, dt):
    """Return the share of a difference that a first-order lag follows in dt [s]."""
    return -expm1(-gain * dt)


@kernel
def _follow(observer, k, outside, dt):
    """Let the estimate of a force follow what it was over a step dt [s], on degree of freedom k.

    EXTENDED_STATE: momentum and force as states with both poles at -gain, exact for a step:
    gap' = outside - force - 2 gain gap, force' = gain^2 gap.  Source: Gao 2003.
    SLIDING_MODE: the super-twisting law gap' = outside - force - a sqrt|gap| sign(gap),
    force' = b sign(gap), by implicit Euler, which does not chatter: the gap is zero while the force
    changes by less than b in a second.  b = 1.1 gain, a = 1.5 sqrt(gain).
    Sources: Levant 1998; Garofalo et al. 2019; discrete: Brogliato et al. 2020.
    """
    gain, gap, ahead = observer.gain[k], observer.gap[k], outside - observer.force[k]
    if observer.law == EXTENDED_STATE:
        angle, left = gain * dt, exp(-gain * dt)
        observer.gap[k] = left * ((1.0 - angle) * gap + dt * ahead)
        observer.force[k] = outside - left * ((1.0 + angle) * ahead - gain * angle * gap)
    elif observer.law == SLIDING_MODE:
        steep, most, reach = _STEEP * sqrt(gain), _FAST * gain * dt, gap + dt * ahead
        beyond = abs(reach) - dt * most
        if beyond <= 0.0:
            observer.gap[k] = 0.0
            observer.force[k] += reach / dt
        else:
            root = 0.5 * (sqrt(dt * dt * steep * steep + 4.0 * beyond) - dt * steep)
            sign = 1.0 if reach > 0.0 else -1.0
            observer.gap[k] = sign * root * root
            observer.force[k] += sign * most
    else:
        observer.force[k] += share(gain, dt) * ahead


@kernel
def observe(model, work, drives, observer, dt):
    """After inverse_dynamics, dt [s] after the last: write observer.force (g), note the instant.

    Torques of the drives, loaded by load_torques: their mean over the step.  Over a step, the force
    from outside is the change of momentum that drives and model do not explain:
    F = (p1 - p0) / dt - mean of (F_m + C^T zd + R^T Q).  The estimate follows it by the law of
    the observer: FIRST_ORDER by 1 - exp(-gain dt), the paper's, or those of _follow; all are stable
    at any gain.  The first instant is only noted.
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
            _follow(observer, k, outside, dt)
        else:
            observer.gap[k] = 0.0
        observer.momentum[k] = observer.new_momentum[k]
        observer.rate[k] = observer.new_rate[k] - drive_force(work, drives, k)
        for d in range(drives.count):
            observer.jacobian[d, k] = work.R[drives.coordinate[d], k]
    observer.noted = 1
