"""How well one mode of a candidate explains the forces of all windows."""

from math import inf, sqrt

from mb_contact.isolation.kernels.projection import add_share, linearise, miss, project
from mb_contact.isolation.kernels.windows import step
from mb_model.jit import kernel

OPEN = 5            # things that a candidate leaves open, at most
_STEPS = 8          # of Gauss-Newton, at most
_AGREES = 0.1       # with what it expects, a misfit that is linear enough
_ACROSS, _ALONG, _BESIDE = 0, 1, 2
_STAYS = 0.58       # deviation of a share from 0 to 1, all being as likely


@kernel
def over_factors(evidence, candidate, back, g):
    """Keep what a candidate has in a window: shares of modes, effects over the factors.

    back: how many windows are after it; these were kept before.
    """
    n, w = evidence.count * g, evidence.count - 1 - back
    evidence.share[back] = candidate.share
    for mode in range(candidate.prior.size):
        for i in range(2):
            evidence.slid[back, mode, i] = 0.0 if back == 0 else (
                evidence.slid[back - 1, mode, i]
                - step(evidence, w + 1) * candidate.sliding[mode, i])
    for axis in range(3):
        _over(evidence.factor, candidate.effect[axis], back * g, g, n, evidence.effect[back, axis])
        if candidate.contacts == 2:
            _over(evidence.factor, candidate.carried_effect[axis], back * g, g, n,
                  evidence.carried_effect[back, axis])
        elif candidate.spread[0] > 0.0:
            for i in range(2):
                _over(evidence.factor, candidate.moved_effect[i, axis], back * g, g, n,
                      evidence.moved_effect[back, i, axis])


@kernel
def _over(factor, effect, first, g, n, to):
    """Write the solution (n) of L x = b, b being effect (g) from row first on."""
    to[:first] = 0.0
    for i in range(first, n):
        total = effect[i - first] if i < first + g else 0.0
        for j in range(first, i):
            total -= factor[i, j] * to[j]
        to[i] = total / factor[i, i]


@kernel
def begin(evidence, candidate, mode, g):
    """Find size and open things of a mode by the latest window alone; write misfit and weight.

    From the size that its force without these has.
    """
    candidate.weight[mode] = 0.0
    candidate.left[mode] = 0.0
    length, explained = 0.0, 0.0
    add_share(evidence.effect[0], evidence.share[0, mode], 0, g, evidence.columns[0])
    for k in range(g):
        effect = evidence.columns[0, k]
        length += effect ** 2
        explained += effect * evidence.white[k]
    if length == 0.0:
        return
    candidate.fitted[mode] = max(0.0, explained) / length
    _solve(evidence, candidate, mode, 1, inf, g)


@kernel
def go_on(evidence, candidate, mode, most, g):
    """Find sizes and open things of a mode by all windows, from what the latest one gives.

    most: a misfit that makes it improbable.
    """
    _solve(evidence, candidate, mode, evidence.count, most, g)


@kernel
def _solve(evidence, candidate, mode, count, most, g):
    """Write misfit and weight of a mode by the latest windows, and what they find.

    count: how many windows.  weight is the factor of exp(-misfit / 2).  Unknown are what it leaves
    open, x, which is normal with deviation 1, and a size N >= 0 for each window, whose
    density is 1 / N a priori: any order of magnitude is as likely.  The force N (effect + D x) is
    linearised in both, again at what was found (Gauss-Newton), so that its derivative by log N is
    the force that is found, and alike for all that explain the same.  Sizes of older windows begin
    as forces are larger or smaller than the latest one.
    """
    left = _leave_open(evidence, candidate, mode, count, g)
    evidence.moved[:left] = candidate.left[mode, :left]
    for back in range(count):
        evidence.sizes[back] = candidate.fitted[mode] * evidence.ratio[back]
    misfit, weight = 0.0, 0.0
    linearise(evidence, mode, left, count, g)
    for _ in range(_STEPS):
        expected, weight = project(evidence, left, count, g)
        misfit = expected
        if weight == 0.0 or left == 0 or expected > most:
            break
        linearise(evidence, mode, left, count, g)
        misfit = miss(evidence, left, count, g)
        if abs(misfit - expected) < _AGREES:
            break
    candidate.misfit[mode], candidate.weight[mode] = misfit, candidate.prior[mode] * weight
    if weight > 0.0:
        candidate.size[mode] = _latest(evidence, evidence.columns[left], g)
        candidate.left[mode, :left] = evidence.moved[:left]
        candidate.fitted[mode] = evidence.sizes[0]
        candidate.size_variance[mode] = 1.0 / evidence.normal[left, left] ** 2


@kernel
def _latest(evidence, effect, g):
    """Return the size of the last force, of which one of 1 N has this effect."""
    length, explained = 0.0, 0.0
    for k in range(g):
        length += effect[k] ** 2
        explained += effect[k] * evidence.white_latest[k]
    return max(0.0, explained) / length


@kernel
def _leave_open(evidence, candidate, mode, count, g):
    """Write what forces of 1 N have beside a mode; return how many such things there are.

    What sets a clamped thing in motion is a force whose deviation along each axis is a share of the
    clamping force.  A candidate and a mode stand for those around them: the force may be turned,
    and act elsewhere on the patch, where a curved surface turns it, too, in all windows alike.
    While a body slides, what it touches may stay at one point of it, or move along it, or anything
    between.  While it does not slide, friction may act in any direction.
    """
    n = count * g
    if candidate.contacts == 2:
        for back in range(count):
            share = sqrt(evidence.imbalance ** 2 + (
                evidence.settling / evidence.until[evidence.count - 1 - back]) ** 2)
            for axis in range(3):
                to, effect = evidence.left_open[back, axis], evidence.carried_effect[back, axis]
                for k in range(back * g, n):
                    to[k] = share * effect[k]
        return 3
    if candidate.spread[0] == 0.0:
        return 0
    for back in range(count):
        _move(evidence, candidate, back, mode, back * g, n)
    return OPEN


@kernel
def _move(evidence, candidate, back, mode, first, n):
    """Write what moving and turning the force of a mode does in a window, per N."""
    share, effect, to = evidence.share[back, mode], evidence.effect[back], evidence.left_open[back]
    rub = sqrt(share[_ALONG] ** 2 + share[_BESIDE] ** 2)
    along, beside = (share[_ALONG] / rub, share[_BESIDE] / rub) if rub > 0.0 else (1.0, 0.0)
    turned = evidence.mode_spread if rub > 0.0 else evidence.stuck_spread
    for k in range(first, n):
        stays = 0.0
        for i in range(2):
            moved = candidate.curvature[i] * (share[1 + i] * effect[_ACROSS, k]
                                          - share[_ACROSS] * effect[1 + i, k])
            for axis in range(3):
                moved += share[axis] * evidence.moved_effect[back, i, axis, k]
            to[i, k] = candidate.spread[i] * moved
            stays += _STAYS * evidence.slid[back, mode, i] * moved
        to[2, k] = stays
        to[3, k] = turned * (along * effect[_ALONG, k] + beside * effect[_BESIDE, k])
        to[4, k] = turned * (along * effect[_BESIDE, k] - beside * effect[_ALONG, k])
