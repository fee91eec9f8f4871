"""Detection of a load that was picked up or released: cumulative sums of likelihood ratios.

Towards more and towards less, for each mass: the logarithm of how much likelier the masses of the
instants since some time are after a change by D than without one,

    score <- max(0, score + dt D (u - D / 2) / (2 variance correlation_time)),

u: how far the mass of the instant is beyond the filtered one, less the part that the filtered one,
the factors of friction and of the model, and standing seals may explain.
Source: Page 1954, with the rate of noise that is correlated over a time.
"""

from math import sqrt

from mb_model.jit import kernel

_EXPLAINED = 2.0          # standard deviations
_SHORTEST = 0.15          # time that it takes to the alarm, at the least [s]
_NOISE = 1e-3             # of least_change: deviation of an instant, at the least


@kernel
def explained(f, instant, j):
    """Return how far raw mass j may differ from the filtered one without a change [kg]."""
    variance = f.spread[j] * f.spread[j]
    for i in range(instant.factors):
        if i >= instant.factors - 1 - instant.modes or instant.moving[i]:
            off = (instant.slope[j, i] - f.slope[j, i]) * f.factor_deviation[i]
            variance += off * off
    return _EXPLAINED * sqrt(variance) + instant.band[j]


@kernel
def _watch(f, instant, j, side, dt):
    """Follow the score of mass j towards more (side 0) or less (1); return whether it alarms."""
    sign, least = 1.0 - 2.0 * side, f.least_change
    noise = _NOISE * least
    intensity = 2.0 * f.correlation_time * (instant.covariance[j, j] + noise * noise)
    beyond = sign * (instant.raw[j] - f.mass[j]) - explained(f, instant, j)
    gain = least * (beyond - 0.5 * least) / intensity * dt
    most = f.alarm / _SHORTEST * dt
    f.score[j, side] += min(most, max(-most, gain))
    if f.score[j, side] <= 0.0:
        f.score[j, side] = f.since[j, side] = f.sum[j, side] = 0.0
        return False
    f.since[j, side] += dt
    f.sum[j, side] += instant.raw[j] * dt
    return f.score[j, side] > f.alarm


@kernel
def changed(f, instant, dt):
    """Return (mass, side) of a change that has just become clear, (-1, 0) without one."""
    mass, at = -1, 0
    for j in range(instant.masses):
        for side in range(2):
            if _watch(f, instant, j, side, dt) and (
                    mass < 0 or f.score[j, side] > f.score[mass, at]):
                mass, at = j, side
    return mass, at


@kernel
def forget_scores(f):
    """Begin all sums again."""
    for j in range(f.score.shape[0]):
        for side in range(2):
            f.score[j, side] = f.since[j, side] = f.sum[j, side] = 0.0


@kernel
def take_change(f, instant, j, side):
    """Put mass j where it was on average since the change began; write all spreads and elapsed.

    A change shakes the mechanism, so the errors of its instants do not average out; they count for
    settling_time at most.  The other masses stay, to be followed as fast.
    """
    still = instant.band[j] > 0.0
    f.mass[j] = f.sum[j, side] / f.since[j, side]
    f.elapsed = 0.0 if still else min(f.since[j, side], f.settling_time)
    for i in range(instant.masses):
        f.spread[i] = sqrt(instant.band[i] * instant.band[i] / 3.0 + instant.covariance[i, i])
