"""How well each way to touch a mechanism explains the force from outside."""

from math import exp, sqrt

from mb_contact.isolation.kernels.mean_force import whiten
from mb_contact.isolation.kernels.place import clamp, normal_probability, touch
from mb_contact.isolation.kernels.summary import clear, sum_up
from mb_model.jit import entry, kernel
from mb_model.kernel_api import SOLVED, solve_lower, solve_position, solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero


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
            effect = _effect(place, way, k)
            length += effect ** 2
            explained += effect * evidence.white[k]
            latest += effect * evidence.white_latest[k]
            total += evidence.white[k] ** 2
        if length == 0.0:
            continue
        widened = 1.0
        if place.contacts == 2:
            length, explained, latest, total, widened = carry(
                evidence, place, way, g, length, explained, latest, total)
        explained /= sqrt(length)
        place.size[way], place.size_variance[way] = max(0.0, latest / length), 1.0 / length
        place.misfit[way] = total - explained * max(0.0, explained)
        place.weight[way] = place.prior[way] * _half_line(explained) / sqrt(widened)


@kernel
def _over_factor(evidence, place, g):
    """Divide the effects of forces at a place by the factor of the covariance."""
    solve_lower(evidence.factor, place.across_effect, g)
    solve_lower(evidence.factor, place.along_effect, g)
    if place.contacts == 2:
        for axis in range(2):
            solve_lower(evidence.factor, place.carried_effect[axis], g)


@kernel
def _effect(place, way, k):
    """Return the effect of a unit force of a way on degree of freedom k."""
    return (place.cosine[way] * place.across_effect[k]
            + place.sine[way] * place.along_effect[k])


@entry
def carry(evidence, place, way, g, length, explained, latest, total):
    """Let the forces of a way also accelerate the clamped thing; return products and a factor.

    The force for this is normally distributed.  Its deviation along each axis is a share of the
    clamping force, at the most likely value without it.  With b (g, 2), its effect on z over the
    factor, the covariance of the whole is C = I + b b^T; products with its inverse by
    Woodbury's identity, and the determinant of C.
    """
    share = sqrt(evidence.imbalance ** 2 + (evidence.settling / evidence.elapsed) ** 2)
    size = share * max(0.0, explained) / length
    xx, xy, yy = 1.0, 0.0, 1.0
    effect_x, effect_y, white_x, white_y, latest_x, latest_y = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(g):
        x, y = size * place.carried_effect[0, k], size * place.carried_effect[1, k]
        effect = _effect(place, way, k)
        xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
        effect_x, effect_y = effect_x + x * effect, effect_y + y * effect
        white_x, white_y = white_x + x * evidence.white[k], white_y + y * evidence.white[k]
        latest_x += x * evidence.white_latest[k]
        latest_y += y * evidence.white_latest[k]
    widened = xx * yy - xy * xy
    # (I + b^T b)^-1 b^T effect
    along_x = (yy * effect_x - xy * effect_y) / widened
    along_y = (xx * effect_y - xy * effect_x) / widened
    return (length - along_x * effect_x - along_y * effect_y,
            explained - along_x * white_x - along_y * white_y,
            latest - along_x * latest_x - along_y * latest_y,
            total - (yy * white_x ** 2 - 2.0 * xy * white_x * white_y
                     + xx * white_y ** 2) / widened, widened)


@kernel
def _half_line(x):
    """Mean of 1 / max(x, 1) over N > 0, normal around x; for x < 0 times exp(x^2 / 2)."""
    if x > 0.0:
        return normal_probability(x) / max(1.0, x)
    return normal_probability(x) * exp(0.5 * min(x * x, 100.0))


@entry
def judge(models, works, evidences, places, hypotheses):
    """Write hypotheses from all evidence at work.z, near work.q; False without a position."""
    model, work, evidence = models[0], works[0], evidences[0]
    if (solve_position(model, work) != SOLVED or not solve_velocity(model, work)
            or not whiten(model, work, evidence)):
        return False
    clear(hypotheses)
    for k in range(places.size):
        p = places[k]
        p.across_effect[:], p.along_effect[:], p.carried_effect[:] = 0.0, 0.0, 0.0
        p.weight[:] = 0.0
        if p.contacts == 1:
            touch(model, work, p, evidence)
        else:
            clamp(model, work, p, evidence)
        hypotheses[p.hypothesis].share += p.prior.sum()
    for k in range(places.size):
        p = places[k]
        least = _IMPROBABLE * hypotheses[p.hypothesis].share
        if p.prior.max() > least:
            _explain(evidence, p, model.g, least)
    sum_up(places, hypotheses)
    return True
