"""Hypotheses from their places: probabilities, mean points and forces, covariances."""

from math import exp, inf

from mb_model.jit import kernel

_FARTHEST = 600.0      # above the least, that a misfit counts: what is impossible has a place still


@kernel
def clear(hypotheses):
    """Clear the results of earlier forces."""
    for h in hypotheses:
        h.share = h.probability = 0.0
        h.point[:], h.force[:], h.point_covariance[:], h.force_covariance[:] = 0.0, 0.0, 0.0, 0.0


@kernel
def sum_up(places, hypotheses, unforeseen):
    """Write probabilities of hypotheses, and means and covariances of their points and forces.

    unforeseen: probability that forces tell nothing of the bodies that are possible.
    """
    least, total = inf, 0.0
    for k in range(places.size):
        p = places[k]
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                least = min(least, p.misfit[way])
    for k in range(places.size):
        p = places[k]
        h = hypotheses[p.hypothesis]
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                p.weight[way] *= (exp(-0.5 * min(p.misfit[way] - least, _FARTHEST))
                                  * h.prior / h.share)
                _add_mean(p, way, h)
                total += p.weight[way]
    for h in hypotheses:
        if h.probability > 0.0:
            h.point[:] /= h.probability
            h.force[:] /= h.probability
    for k in range(places.size):
        p = places[k]
        h = hypotheses[p.hypothesis]
        for way in range(p.weight.size):
            if p.weight[way] > 0.0:
                _add_covariance(p, way, h)
    if total > 0.0:
        possible = 0.0
        for h in hypotheses:
            if h.probability > 0.0:
                possible += h.prior
        for h in hypotheses:
            if h.probability > 0.0:
                h.probability = ((1.0 - unforeseen) * h.probability / total
                                 + unforeseen * h.prior / possible)


@kernel
def _direction(p, way, contact, i):
    """Component i of the direction of a contact's force."""
    return (p.share[way, 0] * p.axes[contact, 0, i] + p.share[way, 1] * p.axes[contact, 1, i]
            + p.share[way, 2] * p.axes[contact, 2, i])


@kernel
def _add_mean(p, way, h):
    h.probability += p.weight[way]
    for k in range(p.contacts):
        for i in range(3):
            h.point[k, i] += p.weight[way] * p.point[k, i]
            h.force[k, i] += p.weight[way] * p.size[way] * _direction(p, way, k, i)


@kernel
def _add_covariance(p, way, h):
    weight = p.weight[way] / h.probability
    for k in range(p.contacts):
        for i in range(3):
            to_i = _direction(p, way, k, i)
            for j in range(3):
                to_j = _direction(p, way, k, j)
                h.point_covariance[k, i, j] += weight * (p.point[k, i] - h.point[k, i]) * (
                    p.point[k, j] - h.point[k, j])
                h.force_covariance[k, i, j] += weight * (
                    (p.size[way] * to_i - h.force[k, i]) * (p.size[way] * to_j - h.force[k, j])
                    + p.size_variance[way] * to_i * to_j)
