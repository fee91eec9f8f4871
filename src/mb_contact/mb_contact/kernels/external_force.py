"""Forces from outside: the drives, the momentum and its observer over one step, for Python too."""

from math import exp, expm1, sqrt

from mb_contact.kernels.motion import find_motion
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import apply_s_transposed, inverse_dynamics, rates_along, reach_position
from mb_model.record import CHARTS, G, N

DRIVES = RecordType(
    'mb_contact.kernels.external_force.DRIVES', drives=[
    ('count', INTEGER),                                # d
    ('coordinate', INTEGER, (N,)),                     # on which each acts
    ('start', REAL, (N,)),                             # position of the file
    # orientations among the degrees of freedom, and where each has its three
    ('turns', INTEGER), ('turn', INTEGER, (CHARTS, 3)),
    ('follows', INTEGER),                              # whether their references are at the bodies
])

OBSERVER = RecordType(
    'mb_contact.kernels.external_force.OBSERVER', settings=[
    ('law', INTEGER),                                  # see kernels.external_force
    ('gain', REAL, (G,)),                              # [1/s]; of SLIDING_MODE [N/s or N m/s]
], stream=[
    ('force', REAL, (G,)),                             # the estimate
    ('gap', REAL, (G,)),                               # momentum less the one it follows by
    ('noted', INTEGER),                                # whether there is a last instant
    ('momentum', REAL, (G,)),                          # of the last instant,
    ('rate', REAL, (G,)),                              # its rate without drives,
    ('jacobian', REAL, (N, G)),                        # and rows of R of the drives
    ('new_momentum', REAL, (G,)), ('new_rate', REAL, (G,)),
    # M qd of all coordinates, and S^T of it
    ('of_coordinates', REAL, (N,)), ('of_constraints', REAL, (N,)),
])
_rates_along = rates_along
FIRST_ORDER, EXTENDED_STATE, SLIDING_MODE = 0, 1, 2      # laws of following

_STEEP, _FAST = 1.5, 1.1        # of the super-twisting law, by the root of the rate, and by it
_reach, _balance, _find_motion = reach_position, inverse_dynamics, find_motion


@kernel
def load_torques(work, drives, torques):
    """Set the torques of the drives (d) [N or N m]."""
    for d in range(drives.count):
        work.coordinate_forces[drives.coordinate[d]] = torques[d]


@kernel
def drive_force(work, drives, k):
    """Return the force of the drives on degree of freedom k: J^-T torques, row k.

    J is the Jacobian from drives to degrees of freedom; J^-1 are rows of R.
    Source: Mohammad et al. 2025, Eq. (1), there F_m.
    """
    total = 0.0
    for d in range(drives.count):
        row = drives.coordinate[d]
        total += work.R[row, k] * work.coordinate_forces[row]
    return total


@kernel
def momentum(model, work, observer):
    """After inverse_dynamics: write new_momentum M_bar zd and new_rate, its known rate (g).

    p = R^T M qd; rate = C^T zd + R^T Q, where C = R^T M R_dot, so that d(M_bar)/dt = C + C^T and
    the momentum's rate is this plus all forces that are not in Q, without any accelerations.  By
    phi_q_dot R + phi_q R_dot = 0: C^T zd = -R^T phi_q_dot^T S^T M qd.
    Source: Mohammad et al. 2025, Eqs. (2), (3).
    """
    moving, directions = observer.of_coordinates, work.directions
    for row in range(model.n):
        moving[row] = 0.0
        for k in range(model.g):
            moving[row] += work.M_R[row, k] * work.zd[k]
    apply_s_transposed(model, work, moving, observer.of_constraints)
    for k in range(model.g):
        for row in range(model.n_total):
            directions[k, row] = work.R[row, k]
    _rates_along(model, work)
    for k in range(model.g):
        observer.new_momentum[k] = observer.new_rate[k] = bend = 0.0
        for row in range(model.n):
            observer.new_momentum[k] += directions[k, row] * moving[row]
            observer.new_rate[k] += directions[k, row] * work.Q[row]
        for row in range(model.m):
            bend += observer.of_constraints[row] * work.rates[k, row]
        observer.new_rate[k] -= bend


@kernel
def turn_with_bodies(work, drives, momentum, rate):
    """Make the rate (g) the rate of momenta in frames that turn with their bodies.

    zd of an orientation at its reference is the angular velocity w in the body's frame; away from
    it, w = (1 - s^ / 2 + ...) ds/dt.  The rate of the momentum of s is there; the momentum L along
    the body's axes changes by -w x L / 2 more, as in Euler's equations of a free body, where half
    of -w x L is in the rate already.
    """
    for k in range(drives.turns):
        turn = drives.turn[k]
        for axis in range(3):
            i, j = turn[(axis + 1) % 3], turn[(axis + 2) % 3]
            rate[turn[axis]] -= 0.5 * (work.zd[i] * momentum[j] - work.zd[j] * momentum[i])


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
    the observer: FIRST_ORDER by 1 - exp(-gain dt), the paper's, or the laws of _follow; all are
    stable at any gain.  The first instant is only noted.
    Source: Mohammad et al. 2025, Eqs. (3), (4), there in continuous time.
    """
    momentum(model, work, observer)
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


@kernel
def _move(model, work, z, zd):
    """Go from work.q to z and zd, without zdd; return whether there is such a motion."""
    for k in range(model.g):
        work.z[k], work.zd[k], work.zdd[k] = z[k], zd[k], 0.0
    return _reach(model, work) and _balance(model, work, work.forces)


@entry
def momentum_at(models, works, observers, z, zd):
    """See momentum; returns False where there is no motion."""
    if not _move(models[0], works[0], z, zd):
        return False
    momentum(models[0], works[0], observers[0])
    return True


@entry
def observe_at(models, works, drives, observers, dt, z, zd, torques):
    """See kernels.external_force; returns False where there is no motion."""
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
