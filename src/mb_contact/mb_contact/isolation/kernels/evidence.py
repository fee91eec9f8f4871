"""How well each way to touch a mechanism explains the force from outside."""

from math import exp, inf, sqrt

from numba import njit

from mb_contact.isolation.kernels.place import clamp, normal_probability, touch
from mb_model.kernels.linear_algebra import cholesky_factor, solve_lower
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.velocity import solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero


@njit(cache=True)
def take(evidence, g, stamp, zd, force, covariance):
    """Let the force (g) of an instant enter the mean, unless it comes late.

    The first one of a contact keeps its zd.
    Forces are averaged with exponential forgetting: the impulse of a contact is known better than
    its force, whose estimate lags and rings.
    """
    before, dt = evidence.time, 1e-9 * (stamp - evidence.stamp)
    if before > 0.0 and dt <= 0.0:
        return
    if before == 0.0:
        dt = evidence.correlation_time
        for k in range(g):
            evidence.zd[k] = zd[k]
    decay = exp(-dt / evidence.memory)
    evidence.stamp, evidence.time = stamp, decay * before + dt
    for k in range(g):
        evidence.latest[k] = force[k]
        evidence.force[k] += dt / evidence.time * (force[k] - evidence.force[k])
        for j in range(g):
            evidence.spread[k, j] = (decay * decay * evidence.spread[k, j]
                                     + dt * max(dt, evidence.correlation_time) * covariance[k, j])


@njit(cache=True)
def _reduce_mass(model, work, M_bar):
    """Write M_bar = R^T M R (g, g)."""
    for k in range(model.g):
        for row in range(model.n):
            total = 0.0
            for column in range(model.n):
                total += work.M[row, column] * work.R[column, k]
            work.vector1[row] = total
        for j in range(model.g):
            total = 0.0
            for row in range(model.n):
                total += work.R[row, j] * work.vector1[row]
            M_bar[j, k] = total


@njit(cache=True)
def _whiten(model, work, evidence):
    """Write the factor of the covariance of the mean force, and forces over it.

    The covariance: noise, and as shares of the force, as if accelerations were wrong alike in all
    directions, in the metric of the mass matrix: the model's error, which does not average out, and
    what the estimate has not followed yet.
    """
    g = model.g
    _reduce_mass(model, work, evidence.M_bar)
    for k in range(g):
        evidence.white[k] = evidence.force[k]
        for j in range(k + 1):
            evidence.factor[k, j] = evidence.M_bar[k, j]
    if not cholesky_factor(evidence.factor, g):
        return False
    solve_lower(evidence.factor, evidence.white, g)
    kinetic = 0.0
    for k in range(g):
        kinetic += evidence.white[k] ** 2
    share = (evidence.model_uncertainty ** 2 + (evidence.lag / evidence.time) ** 2) * kinetic / g
    for k in range(g):
        evidence.white[k], evidence.white_latest[k] = evidence.force[k], evidence.latest[k]
        for j in range(k + 1):
            evidence.factor[k, j] = (evidence.spread[k, j] / evidence.time ** 2
                                     + share * evidence.M_bar[k, j])
    if not cholesky_factor(evidence.factor, g):
        return False
    solve_lower(evidence.factor, evidence.white, g)
    solve_lower(evidence.factor, evidence.white_latest, g)
    return True


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
    """Integral over N > 0 of exp(-(N - x)^2 / 2) / max(x, 1), without exp(-x^2 / 2) for x < 0."""
    if x > 0.0:
        return normal_probability(x) / max(1.0, x)
    return normal_probability(x) * exp(0.5 * min(x * x, 100.0))


@njit(cache=True)
def _sum_up(places, hypotheses):
    """Write probabilities of hypotheses, and means and covariances of their points and forces."""
    least, total = inf, 0.0
    for p in places:
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                least = min(least, p.misfit[way])
    for p in places:
        h = hypotheses[p.hypothesis]
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                p.weight[way] *= exp(0.5 * (least - p.misfit[way])) * h.prior / h.share
                _add_mean(p, way, h)
                total += p.weight[way]
    for h in hypotheses:
        if h.probability > 0.0:
            h.point[:] /= h.probability
            h.force[:] /= h.probability
    for p in places:
        h = hypotheses[p.hypothesis]
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                _add_covariance(p, way, h)
    if total > 0.0:
        for h in hypotheses:
            h.probability /= total


@njit(cache=True)
def _add_mean(p, way, h):
    h.probability += p.weight[way]
    for k in range(p.contacts):
        for i in range(2):
            direction = p.cosine[way] * p.across[k, i] + p.sine[way] * p.along[k, i]
            h.point[k, i] += p.weight[way] * p.point[k, i]
            h.force[k, i] += p.weight[way] * p.size[way] * direction


@njit(cache=True)
def _add_covariance(p, way, h):
    weight = p.weight[way] / h.probability
    for k in range(p.contacts):
        for i in range(2):
            to_i = p.cosine[way] * p.across[k, i] + p.sine[way] * p.along[k, i]
            for j in range(2):
                to_j = p.cosine[way] * p.across[k, j] + p.sine[way] * p.along[k, j]
                h.point_covariance[k, i, j] += weight * (p.point[k, i] - h.point[k, i]) * (
                    p.point[k, j] - h.point[k, j])
                h.force_covariance[k, i, j] += weight * (
                    (p.size[way] * to_i - h.force[k, i]) * (p.size[way] * to_j - h.force[k, j])
                    + p.size_variance[way] * to_i * to_j)


@njit(cache=True)
def _clear(hypotheses):
    for h in hypotheses:
        h.share = h.probability = 0.0
        h.point[:], h.force[:], h.point_covariance[:], h.force_covariance[:] = 0.0, 0.0, 0.0, 0.0


@njit(cache=True)
def judge(models, works, evidences, places, hypotheses):
    """Write hypotheses from all evidence at work.z, near work.q; False without a position."""
    model, work, evidence = models[0], works[0], evidences[0]
    if (solve_position(model, work) != SOLVED or not solve_velocity(model, work)
            or not _whiten(model, work, evidence)):
        return False
    _clear(hypotheses)
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
    _sum_up(places, hypotheses)
    return True
