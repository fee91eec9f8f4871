"""Hypotheses on pulses of an unknown force, each of a degree of freedom, a centre and a width.

Without a pulse the filter is a linear one around its estimate.  A pulse of unit amplitude moves its
states by `effect`, which goes through the same transitions and corrections, and the innovations by
H effect: of the amplitude they say information and score, of the hypothesis how likely it is.
Sources: Willsky and Jones 1976 (generalized likelihood ratio), with a prior of the amplitude, whose
integral is closed, in place of its maximum.
"""

from math import erf, exp, log, sqrt, tanh

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, kernel, sizes
from mb_model.kernel_api import cholesky_solve
from mb_model.record import G

H, W = sizes('hypotheses widths')

PULSES = RecordType(
    'mb_estimators.kernels.pulses.PULSES', noise=[     # of the known forces, and of the model's
        ('variance', REAL, (G,)),                          # stationary, at rest and without force
        ('time', REAL),                                    # of its correlation [s]
        ('by_speed', REAL), ('by_force', REAL), ('by_jump', REAL),      # what doubles the variance
        ('by_power', REAL),                                             # 0: no power does
        ('known', REAL, (G,)),                             # the present known force
        ('slow', REAL, (G,)), ('jump', REAL, (G,)),        # its low pass, and how far it jumped
        ('lash', REAL, (G,)), ('lash_force', REAL), ('lash_time', REAL),
        ('loaded', REAL, (G,)),                            # the known force, by lash_time late
        ('at_motor', INTEGER, (K,)),                       # channels that read the angle of a motor
        ('limit', REAL),                                   # of innovations, in deviations
        ('by_known', REAL, (G, G)),                        # dzdd/dforce
    ], prior=[
        ('width', REAL, (W,)),                             # standard deviations of the shape [s]
        ('spacing', REAL),                                 # of centres [s]
        ('amplitude_mean', REAL), ('amplitude_variance', REAL),     # of either side
        ('rate', REAL),                                    # pulses of a degree of freedom per time
        ('least', REAL),                                   # amplitude of one that is detected
        ('adopted', REAL),                                 # probability from which one was there
    ], hypotheses=[
        ('since', REAL),                                   # the last ones began [s]
        ('alive', INTEGER, (H,)), ('of', INTEGER, (H,)),   # on which degree of freedom
        ('wide', REAL, (H,)), ('ahead', REAL, (H,)),       # width; time until the centre [s]
        ('effect', REAL, (H, L)),                          # what a unit pulse does to the states
        ('information', REAL, (H,)), ('score', REAL, (H,)),
        ('likely', REAL, (H,)), ('doubt', REAL, (H,)),     # mean, variance of the amplitude
        ('probability', REAL, (H,)),
    ], prediction=[     # how readings fitted it, before those far off counted less
        ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
    ], ended=[     # in the last correction
        ('ended', INTEGER), ('ended_one', INTEGER, (H,)), ('adopted_now', INTEGER),
    ], answer=[
        ('mean', REAL, (G,)), ('square', REAL, (G,)),      # of the pulses' force at present
        ('active', REAL, (G,)),                            # probability that such one is on
        ('moved', REAL, (L,)), ('seen', REAL, (K,)),       # scratch
    ])


_REACH = 3.0              # widths to either side of the centre that a pulse lasts
_PAST = 1.5               # widths behind the centre from which it is no longer to come


@kernel
def shape(ahead, wide):
    """Return exp(-t^2 / 2 width^2) of a pulse whose centre is t ahead."""
    return exp(-0.5 * (ahead / wide) * (ahead / wide))


@kernel
def begin_hypotheses(p, g, h):
    """Begin pulses on every degree of freedom, of every width, if it is time."""
    p.since += h
    if p.since < p.spacing:
        return
    p.since = 0.0
    m = 0
    for k in range(g):
        for w in range(p.width.size):
            while m < p.alive.size and p.alive[m] == 1:
                m += 1
            if m == p.alive.size:
                return
            p.alive[m], p.of[m], p.wide[m] = 1, k, p.width[w]
            p.ahead[m] = _REACH * p.width[w]
            p.information[m] = p.score[m] = p.probability[m] = p.likely[m] = 0.0
            for i in range(p.effect.shape[1]):
                p.effect[m, i] = 0.0


@kernel
def move_hypotheses(f, p, g, h):
    """Move the effects by f.transition over h [s], and the force of the pulses acts meanwhile."""
    for m in range(p.alive.size):
        if p.alive[m] == 0:
            continue
        push = h * shape(p.ahead[m] - 0.5 * h, p.wide[m])
        p.ahead[m] -= h
        for i in range(f.states):
            total = 0.0
            for j in range(f.states):
                total += f.transition[i, j] * p.effect[m, j]
            p.moved[i] = total
        for i in range(f.states):
            p.effect[m, i] = p.moved[i]
        for i in range(g):
            p.effect[m, i] += 0.5 * h * push * p.by_known[i, p.of[m]]
            p.effect[m, g + i] += push * p.by_known[i, p.of[m]]


@kernel
def weigh_hypotheses(f, p):
    """Take in the innovation in f: information, score, and the effects after its correction."""
    for m in range(p.alive.size):
        if p.alive[m] == 0:
            continue
        for a in range(f.count):
            total = 0.0
            for i in range(f.states):
                total += f.H[a, i] * p.effect[m, i]
            p.seen[a] = f.weighted[a] = total
        cholesky_solve(f.residual_factor, f.weighted, f.count)
        for a in range(f.count):
            p.information[m] += p.seen[a] * f.weighted[a]
            p.score[m] += f.residual[a] * f.weighted[a]
        for i in range(f.states):
            for a in range(f.count):
                p.effect[m, i] -= f.gain[i, a] * p.seen[a]


@kernel
def weigh_sides(p, m):
    """Return mean amplitudes of a pulse, if there is one, to both sides, variance, positive share.

    The prior is a normal distribution to either side, both as likely.  Of each the posterior is
    closed, and so are the odds: log(share / (1 - share)) = (up^2 - down^2) / 2 variance.
    """
    variance = 1.0 / (p.information[m] + 1.0 / p.amplitude_variance)
    centre, away = p.score[m] * variance, p.amplitude_mean * variance / p.amplitude_variance
    return (centre + away, centre - away, variance,
            0.5 * (1.0 + tanh(centre * away / variance)))


@kernel
def judge_amplitude(p, m):
    """Write mean and variance of the amplitude of a pulse, if it is there; return its evidence.

    That is the logarithm of how much likelier the readings are with the pulse than without one.
    """
    up, down, variance, share = weigh_sides(p, m)
    p.likely[m] = share * up + (1.0 - share) * down
    p.doubt[m] = variance + share * (1.0 - share) * (up - down) * (up - down)
    larger = max(abs(up), abs(down))
    before = p.amplitude_mean * p.amplitude_mean / p.amplitude_variance
    return (0.5 * (larger * larger / variance - before + log(variance / p.amplitude_variance))
            - log(2.0 * max(share, 1.0 - share)))


@kernel
def judge_hypotheses(p):
    """Write the probabilities; one pulse or none is in the window of all."""
    highest = 0.0
    prior = log(p.rate * p.spacing / p.width.size)
    for m in range(p.alive.size):
        if p.alive[m] == 1:
            p.probability[m] = prior + judge_amplitude(p, m)
            highest = max(highest, p.probability[m])
    total = exp(-highest)
    for m in range(p.alive.size):
        if p.alive[m] == 1:
            p.probability[m] = exp(p.probability[m] - highest)
            total += p.probability[m]
    for m in range(p.alive.size):
        if p.alive[m] == 1:
            p.probability[m] /= total


@kernel
def large_share(p, m):
    """Return how likely a pulse, if it is there, is larger than the least one."""
    up, down, variance, share = weigh_sides(p, m)
    scale = 1.0 / sqrt(2.0 * variance)
    return 0.5 * (1.0 + share * erf(scale * (abs(up) - p.least))
                  + (1.0 - share) * erf(scale * (abs(down) - p.least)))


@kernel
def answer(p, g):
    """Write mean and mean square of the present force, and how likely a large pulse is on."""
    for k in range(g):
        p.mean[k] = p.square[k] = p.active[k] = 0.0
    for m in range(p.alive.size):
        if p.alive[m] == 0:
            continue
        mean, variance = p.likely[m], p.doubt[m]
        size, k = shape(p.ahead[m], p.wide[m]), p.of[m]
        p.mean[k] += p.probability[m] * mean * size
        p.square[k] += p.probability[m] * (mean * mean + variance) * size * size
        p.active[k] += p.probability[m] * large_share(p, m)


@kernel
def end_hypotheses(f, p):
    """List the pulses that are over; write f.dx, what those did that were there, and end all then.

    The ones that are listed keep their numbers until the next correction.  Returns whether f.dx
    has to be applied.
    """
    p.ended = p.adopted_now = 0
    past = 0.0
    for m in range(p.alive.size):
        if p.alive[m] == 1:
            if p.ahead[m] < -_PAST * p.wide[m]:
                past += p.probability[m]
            if p.ahead[m] < -_REACH * p.wide[m]:
                p.ended_one[p.ended] = m
                p.ended += 1
    if p.ended == 0:
        return False
    if past < p.adopted:
        for k in range(p.ended):
            p.alive[p.ended_one[k]] = 0
        return False
    p.ended, p.adopted_now = 0, 1
    for i in range(f.states):
        f.dx[i] = 0.0
    for m in range(p.alive.size):
        if p.alive[m] == 0:
            continue
        for i in range(f.states):
            f.dx[i] += p.probability[m] * p.likely[m] * p.effect[m, i]
        p.alive[m] = 0
        p.ended_one[p.ended] = m
        p.ended += 1
    return True


@kernel
def take_up_lash(f, p, g):
    """Take from f.residual how far the motors lead that encoders are on: the lash of their gears.

    A loaded gear touches one flank.  A small force does not hold it there: the mean position turns
    over smoothly.
    """
    for a in range(f.count):
        if p.at_motor[f.present[a]] == 1:
            for k in range(g):
                f.residual[a] -= f.H[a, k] * p.lash[k] * tanh(p.loaded[k] / p.lash_force)


@kernel
def limit_innovation(f, limit):
    """Widen the noise of readings whose innovation is beyond `limit` of its deviations.

    Needs what kalman_gain writes; returns whether any noise is wider.
    """
    widened = False
    if limit == 0.0:
        return widened
    for a in range(f.count):
        variance = f.residual_covariance[a, a]
        excess = f.residual[a] * f.residual[a] / (limit * limit)
        if excess > variance:
            f.variance[f.present[a]] += excess - variance
            widened = True
    return widened


@kernel
def hold_known(p, g, h):
    """Follow how far the known force has jumped lately, and what has passed the gears' lash."""
    for k in range(g):
        p.loaded[k] += (p.known[k] - p.loaded[k]) * (1.0 - exp(-h / p.lash_time))
        p.slow[k] += (p.known[k] - p.slow[k]) * (1.0 - exp(-h / 0.05))
        p.jump[k] = max(p.jump[k] * exp(-h / 0.1), abs(p.known[k] - p.slow[k]))


@kernel
def add_force_noise(work, f, p, g, h):
    """Add the noise of the coloured force over h [s] to the acceleration errors in f.P."""
    kept = exp(-2.0 * h / p.time)
    shared, power = 1.0, 0.0
    for k in range(g):
        shared += (work.zd[k] / p.by_speed) * (work.zd[k] / p.by_speed)
        power += abs(p.known[k] * work.zd[k])
    if p.by_power > 0.0:
        shared += (power / p.by_power) * (power / p.by_power)
    for k in range(g):
        force, jump = p.known[k] / p.by_force, p.jump[k] / p.by_jump
        variance = (1.0 - kept) * p.variance[k] * (shared + force * force + jump * jump)
        for i in range(g):
            for j in range(g):
                f.P[2 * g + i, 2 * g + j] += p.by_known[i, k] * p.by_known[j, k] * variance
