"""How well each way to touch a mechanism explains the force from outside."""

from math import exp, sqrt

from numba import njit

from mb_contact.isolation.kernels.mean_force import whiten
from mb_contact.isolation.kernels.place import clamp, normal_probability, touch
from mb_contact.isolation.kernels.summary import clear, sum_up
from mb_model.kernels.linear_algebra import solve_lower
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.velocity import solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero


@njit(cache=True)
def _explain(evidence, place, g, least):
    """Write misfit and weight of ways with a prior above least, and the size of their force.

    weight is that beside exp(-misfit / 2).  The size N >= 0 has the density 1 / N a priori: any
    order of magnitude is as likely.  It is integrated over with 1 / N taken at the most likely N,
    or at its deviation if that is larger.
    """
    across, along = place.across_effect, place.along_effect
    solve_lower(evidence.factor, across, g)
    solve_lower(evidence.factor, along, g)
    for way in range(place.prior.size):
        length, explained, latest, total = 0.0, 0.0, 0.0, 0.0
        for k in range(g):
            effect = place.cosine[way] * across[k] + place.sine[way] * along[k]
            length += effect ** 2
            explained += effect * evidence.white[k]
            latest += effect * evidence.white_latest[k]
            total += evidence.white[k] ** 2
        if place.prior[way] <= least or length == 0.0:
            continue
        explained /= sqrt(length)
        place.size[way], place.size_variance[way] = max(0.0, latest / length), 1.0 / length
        place.misfit[way] = total - explained * max(0.0, explained)
        place.weight[way] = place.prior[way] * _half_line(explained)


@njit(cache=True)
def _half_line(x):
    """Mean of 1 / max(x, 1) over N > 0, normal around x; for x < 0 times exp(x^2 / 2)."""
    if x > 0.0:
        return normal_probability(x) / max(1.0, x)
    return normal_probability(x) * exp(0.5 * min(x * x, 100.0))


@njit(cache=True)
def judge(models, works, evidences, places, hypotheses):
    """Write hypotheses from all evidence at work.z, near work.q; False without a position."""
    model, work, evidence = models[0], works[0], evidences[0]
    if (solve_position(model, work) != SOLVED or not solve_velocity(model, work)
            or not whiten(model, work, evidence)):
        return False
    clear(hypotheses)
    for p in places:
        p.across_effect[:], p.along_effect[:], p.weight[:] = 0.0, 0.0, 0.0
        if p.contacts == 1:
            touch(model, work, p, evidence)
        else:
            clamp(model, work, p, evidence)
        hypotheses[p.hypothesis].share += p.prior.sum()
    for p in places:
        least = _IMPROBABLE * hypotheses[p.hypothesis].share
        if p.prior.max() > least:
            _explain(evidence, p, model.g, least)
    sum_up(places, hypotheses)
    return True
