"""How well one way to touch a place explains the forces of all windows."""

from math import inf, sqrt

from mb_contact.isolation.kernels.projection import add_share, linearise, miss, project
from mb_contact.isolation.kernels.windows import step
from mb_model.jit import kernel

OPEN = 5            # things that a place leaves open, at most
_STEPS = 8          # of Gauss-Newton, at most
_AGREES = 0.1       # with what it expects, a misfit that is linear enough
_ACROSS, _ALONG, _BESIDE = 0, 1, 2
_STAYS = 0.58       # deviation of a share from 0 to 1, all being as likely


@kernel
def over_factors(evidence, place, back, g):
    """Keep what place has in a window: shares of ways, effects over the factors.

    back: how many windows are after it; these were kept before.
    """
    n, w = evidence.count * g, evidence.count - 1 - back
    evidence.share[back] = place.share
    for way in range(place.prior.size):
        for i in range(2):
            evidence.slid[back, way, i] = 0.0 if back == 0 else (
                evidence.slid[back - 1, way, i] - step(evidence, w + 1) * place.sliding[way, i])
    for axis in range(3):
        _over(evidence.factor, place.effect[axis], back * g, g, n, evidence.effect[back, axis])
        if place.contacts == 2:
            _over(evidence.factor, place.carried_effect[axis], back * g, g, n,
                  evidence.carried_effect[back, axis])
        elif place.spread[0] > 0.0:
            for i in range(2):
                _over(evidence.factor, place.moved_effect[i, axis], back * g, g, n,
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
def begin(evidence, place, way, g):
    """Find size and open things of a way by the latest window alone; write misfit and weight.

    From the size that its force without these has.
    """
    place.weight[way] = 0.0
    place.left[way] = 0.0
    length, explained = 0.0, 0.0
    add_share(evidence.effect[0], evidence.share[0, way], 0, g, evidence.columns[0])
    for k in range(g):
        effect = evidence.columns[0, k]
        length += effect ** 2
        explained += effect * evidence.white[k]
    if length == 0.0:
        return
    place.found[way] = max(0.0, explained) / length
    _solve(evidence, place, way, 1, inf, g)


@kernel
def go_on(evidence, place, way, most, g):
    """Find sizes and open things of a way by all windows, from what the latest one gives.

    most: a misfit that makes it improbable.
    """
    _solve(evidence, place, way, evidence.count, most, g)


@kernel
def _solve(evidence, place, way, count, most, g):
    """Write misfit and weight of a way by the latest windows, and what they find.

    count: how many windows.  weight is the factor of exp(-misfit / 2).  Unknown are what the place
    leaves open, x, which is normal with deviation 1, and a size N >= 0 for each window, whose
    density is 1 / N a priori: any order of magnitude is as likely.  The force N (effect + D x) is
    linearised in both, again at what was found (Gauss-Newton), so that its derivative by log N is
    the force that is found, and alike for all that explain the same.  Sizes of older windows begin
    as forces are larger or smaller than the latest one.
    """
    left = _leave_open(evidence, place, way, count, g)
    evidence.moved[:left] = place.left[way, :left]
    for back in range(count):
        evidence.sizes[back] = place.found[way] * evidence.ratio[back]
    misfit, weight = 0.0, 0.0
    linearise(evidence, way, left, count, g)
    for _ in range(_STEPS):
        expected, weight = project(evidence, left, count, g)
        misfit = expected
        if weight == 0.0 or left == 0 or expected > most:
            break
        linearise(evidence, way, left, count, g)
        misfit = miss(evidence, left, count, g)
        if abs(misfit - expected) < _AGREES:
            break
    place.misfit[way], place.weight[way] = misfit, place.prior[way] * weight
    if weight > 0.0:
        place.size[way] = _latest(evidence, evidence.columns[left], g)
        place.left[way, :left], place.found[way] = evidence.moved[:left], evidence.sizes[0]
        place.size_variance[way] = 1.0 / evidence.normal[left, left] ** 2


@kernel
def _latest(evidence, effect, g):
    """Return the size of the last force, of which one of 1 N has this effect."""
    length, explained = 0.0, 0.0
    for k in range(g):
        length += effect[k] ** 2
        explained += effect[k] * evidence.white_latest[k]
    return max(0.0, explained) / length


@kernel
def _leave_open(evidence, place, way, count, g):
    """Write what forces of 1 N have beside a way; return how many such things there are.

    What sets a clamped thing in motion is a force whose deviation along each axis is a share of the
    clamping force.  A place and a way stand for those around them: the force may be turned, and
    act elsewhere on the patch, where a curved surface turns it, too, in all windows alike.  While
    a body slides, what it touches may stay at one place of it, or move along it, or anything
    between.  While it does not slide, friction may act in any direction.
    """
    n = count * g
    if place.contacts == 2:
        for back in range(count):
            share = sqrt(evidence.imbalance ** 2 + (
                evidence.settling / evidence.until[evidence.count - 1 - back]) ** 2)
            for axis in range(3):
                to, effect = evidence.left_open[back, axis], evidence.carried_effect[back, axis]
                for k in range(back * g, n):
                    to[k] = share * effect[k]
        return 3
    if place.spread[0] == 0.0:
        return 0
    for back in range(count):
        _move(evidence, place, back, way, back * g, n)
    return OPEN


@kernel
def _move(evidence, place, back, way, first, n):
    """Write what moving and turning the force of a way does in a window, per N."""
    share, effect, to = evidence.share[back, way], evidence.effect[back], evidence.left_open[back]
    rub = sqrt(share[_ALONG] ** 2 + share[_BESIDE] ** 2)
    along, beside = (share[_ALONG] / rub, share[_BESIDE] / rub) if rub > 0.0 else (1.0, 0.0)
    turned = evidence.way_spread if rub > 0.0 else evidence.stuck_spread
    for k in range(first, n):
        stays = 0.0
        for i in range(2):
            moved = place.curvature[i] * (share[1 + i] * effect[_ACROSS, k]
                                          - share[_ACROSS] * effect[1 + i, k])
            for axis in range(3):
                moved += share[axis] * evidence.moved_effect[back, i, axis, k]
            to[i, k] = place.spread[i] * moved
            stays += _STAYS * evidence.slid[back, way, i] * moved
        to[2, k] = stays
        to[3, k] = turned * (along * effect[_ALONG, k] + beside * effect[_BESIDE, k])
        to[4, k] = turned * (along * effect[_BESIDE, k] - beside * effect[_ALONG, k])
