"""How well each way to touch a mechanism explains the force from outside."""

from math import exp, sqrt

from mb_contact.isolation.kernels.frames import place_frames
from mb_contact.isolation.kernels.mean_force import whiten
from mb_contact.isolation.kernels.normal import normal_probability
from mb_contact.isolation.kernels.place import clamp, touch
from mb_contact.isolation.kernels.summary import clear, sum_up
from mb_contact.isolation.kernels.widening import effect_of, leave_open, widen
from mb_model.jit import entry, kernel
from mb_model.kernel_api import SOLVED, solve_lower, solve_position, solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero
_LOST = 1e-9              # share of what a force does that is rounding beside what it leaves open


@kernel
def _explain(evidence, place, g, least):
    """Write misfit and weight of ways with a prior above least, and the size of their force.

    weight is the factor of exp(-misfit / 2).  The size N >= 0 has the density 1 / N a priori: any
    order of magnitude is as likely.  It is integrated over with 1 / N taken at the most likely N,
    or at its deviation if that is larger.
    """
    _over_factor(evidence, place, g)
    for way in range(place.prior.size):
        if place.prior[way] <= least:
            continue
        length, explained, latest, total = 0.0, 0.0, 0.0, 0.0
        for k in range(g):
            effect = effect_of(place, way, k)
            length += effect ** 2
            explained += effect * evidence.white[k]
            latest += effect * evidence.white_latest[k]
            total += evidence.white[k] ** 2
        if length == 0.0:
            continue
        widened = 1.0
        count = leave_open(evidence, place, way, g, max(0.0, explained) / length)
        if count > 0:
            alone = length
            length, explained, latest, total, widened = widen(
                evidence, place, way, g, count, length, explained, latest, total)
            if length <= _LOST * alone:
                continue
        explained /= sqrt(length)
        place.size[way], place.size_variance[way] = max(0.0, latest / length), 1.0 / length
        place.misfit[way] = total - explained * max(0.0, explained)
        place.weight[way] = place.prior[way] * _half_line(explained) / sqrt(widened)


@kernel
def _over_factor(evidence, place, g):
    """Divide the effects of forces at a place by the factor of the covariance."""
    for axis in range(3):
        solve_lower(evidence.factor, place.effect[axis], g)
        if place.contacts == 2:
            solve_lower(evidence.factor, place.carried_effect[axis], g)
        elif place.spread[0] > 0.0:
            for i in range(2):
                solve_lower(evidence.factor, place.moved_effect[i, axis], g)


@kernel
def _half_line(x):
    """Mean of 1 / max(x, 1) over N > 0, normal around x; for x < 0 times exp(x^2 / 2)."""
    if x > 0.0:
        return normal_probability(x) / max(1.0, x)
    return normal_probability(x) * exp(0.5 * min(x * x, 100.0))


@entry
def judge(models, works, evidences, frames, places, hypotheses):
    """Write hypotheses from all evidence at work.z, near work.q; False without a position."""
    model, work, evidence = models[0], works[0], evidences[0]
    if (solve_position(model, work) != SOLVED or not solve_velocity(model, work)
            or not whiten(model, work, evidence)):
        return False
    place_frames(model, work, frames)
    clear(hypotheses)
    for k in range(places.size):
        p = places[k]
        p.effect[:], p.moved_effect[:], p.carried_effect[:], p.weight[:] = 0.0, 0.0, 0.0, 0.0
        if p.contacts == 1:
            touch(frames, p, evidence, model.g)
        else:
            clamp(frames, p, evidence, model.g)
        hypotheses[p.hypothesis].share += p.prior.sum()
    for k in range(places.size):
        p = places[k]
        least = _IMPROBABLE * hypotheses[p.hypothesis].share
        if p.prior.max() > least:
            _explain(evidence, p, model.g, least)
    sum_up(places, hypotheses)
    return True
