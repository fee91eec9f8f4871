"""How well each candidate for a contact explains the forces from outside."""

from math import exp, inf

from mb_contact.isolation.kernels.candidate import expect, put, write_frames
from mb_contact.isolation.kernels.explanation import begin, go_on, over_factors
from mb_contact.isolation.kernels.windows import whiten
from mb_model.jit import entry, kernel
from mb_model.kernel_api import find_references, reach_position, solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero
_BEYOND = 40.0            # a misfit so much above the best one makes a mode improbable
_FARTHEST = 600.0         # above the least, that a misfit counts: the impossible has a weight


@entry
def judge(models, works, evidences, frames, candidates, hypotheses):
    """Write hypotheses from all evidence at work.z, coming from work.q; False without a position.

    frames: of all bodies in each window, and at present.
    """
    model, work, evidence = models[0], works[0], evidences[0]
    count, bodies = evidence.count, model.bodies + model.solids
    if not _go_back(models, works, evidence, frames):
        return False
    if not (reach_position(model, work) and solve_velocity(model, work)
            and whiten(model, work, evidence)):
        return False
    write_frames(model, work, frames, count * bodies)
    for w in range(count):
        if evidence.placed[w] == 0:
            write_frames(model, work, frames, w * bodies)
    clear(hypotheses)
    for k in range(candidates.size):
        p = candidates[k]
        p.prior[:], p.weight[:] = 0.0, 0.0
        if put(frames, 0, p, evidence, evidence.zd[0], model.g):
            expect(p, evidence, model.g)
        hypotheses[p.hypothesis].share += p.prior.sum()
    _weigh(evidence, frames, candidates, hypotheses, bodies, model.g)
    sum_up(candidates, hypotheses, evidence.unforeseen)
    return True


@kernel
def _weigh(evidence, frames, candidates, hypotheses, bodies, g):
    """Write misfits and weights of all candidates.

    The latest window comes first, all of them where that leaves one probable: more windows
    raise a misfit.  The one that explains the latest window best shows what is probable, until
    another one explains all of them better.
    """
    first, lowest, best = 0, inf, inf
    for k in range(candidates.size):
        p = candidates[k]
        least = _IMPROBABLE * hypotheses[p.hypothesis].share
        if p.prior.max() > least:
            _by_latest(evidence, frames, p, least, bodies, g)
            misfit = _lowest(p)
            if misfit < lowest:
                first, lowest = k, misfit
    for number in range(-1, candidates.size):
        p = candidates[first if number < 0 else number]
        if number == first:
            continue
        if _lowest(p) <= best + _BEYOND:
            _by_all(evidence, frames, p, best + _BEYOND, bodies, g)
            best = min(best, _lowest(p))
        else:
            p.misfit[:] = inf


@kernel
def _lowest(p):
    """Return the lowest misfit of the modes of a candidate that have a weight."""
    lowest = inf
    for mode in range(p.prior.size):
        if p.weight[mode] > 0.0:
            lowest = min(lowest, p.misfit[mode])
    return lowest


@kernel
def _by_latest(evidence, frames, p, least, bodies, g):
    """Write misfits and weights by the latest window, of modes with a prior above least."""
    _look_back(evidence, frames, p, 1, bodies, g)
    for mode in range(p.prior.size):
        if p.prior[mode] > least:
            begin(evidence, p, mode, g)


@kernel
def _by_all(evidence, frames, p, most, bodies, g):
    """Write misfits and weights by all windows, of modes with a misfit up to most.

    The misfit of others becomes infinite: weights by one window and by all do not compare.
    """
    _look_back(evidence, frames, p, evidence.count, bodies, g)
    for mode in range(p.prior.size):
        if p.weight[mode] > 0.0 and p.misfit[mode] <= most:
            go_on(evidence, p, mode, most, g)
        else:
            p.misfit[mode] = inf


@kernel
def _look_back(evidence, frames, p, count, bodies, g):
    """Keep what a candidate has in its latest windows; it is then where it is at present."""
    for back in range(count):
        w = evidence.count - 1 - back
        put(frames, w * bodies, p, evidence, evidence.zd[w], g)
        over_factors(evidence, p, back, g)
    put(frames, evidence.count * bodies, p, evidence, evidence.zd[evidence.count - 1], g)


@kernel
def _go_back(models, works, evidence, frames):
    """Write the frames of bodies in each window whose position is known; False if singular.

    work.q is as before.
    """
    model, work = models[0], works[0]
    moved = False
    evidence.here[:] = work.q[:model.n_total]
    for w in range(evidence.count):
        if evidence.placed[w] > 0:
            moved = True
            work.q[:model.n] = evidence.q[w, :model.n]
            find_references(models, works)
            if not solve_velocity(model, work):
                return False
            write_frames(model, work, frames, w * (model.bodies + model.solids))
    if moved:
        work.q[:model.n_total] = evidence.here
        find_references(models, works)
    return True


@kernel
def clear(hypotheses):
    """Clear the results of earlier forces."""
    for h in hypotheses:
        h.share = h.probability = 0.0
        h.point[:], h.force[:], h.point_covariance[:], h.force_covariance[:] = 0.0, 0.0, 0.0, 0.0


@kernel
def sum_up(candidates, hypotheses, unforeseen):
    """Write probabilities of hypotheses, and means and covariances of their points and forces.

    unforeseen: probability that forces show nothing of the bodies that are possible.
    """
    least, total = inf, 0.0
    for k in range(candidates.size):
        p = candidates[k]
        for mode in range(p.weight.size):
            if p.weight[mode] > 0.0:
                least = min(least, p.misfit[mode])
    for k in range(candidates.size):
        p = candidates[k]
        h = hypotheses[p.hypothesis]
        for mode in range(p.weight.size):
            if p.weight[mode] > 0.0:
                p.weight[mode] *= (exp(-0.5 * min(p.misfit[mode] - least, _FARTHEST))
                                   * h.prior / h.share)
                _add_mean(p, mode, h)
                total += p.weight[mode]
    for h in hypotheses:
        if h.probability > 0.0:
            h.point[:] /= h.probability
            h.force[:] /= h.probability
    for k in range(candidates.size):
        p = candidates[k]
        h = hypotheses[p.hypothesis]
        for mode in range(p.weight.size):
            if p.weight[mode] > 0.0:
                _add_covariance(p, mode, h)
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
def _direction(p, mode, contact, i):
    """Component i of the direction of a contact's force."""
    return (p.share[mode, 0] * p.axes[contact, 0, i] + p.share[mode, 1] * p.axes[contact, 1, i]
            + p.share[mode, 2] * p.axes[contact, 2, i])


@kernel
def _add_mean(p, mode, h):
    h.probability += p.weight[mode]
    for k in range(p.contacts):
        for i in range(3):
            h.point[k, i] += p.weight[mode] * p.point[k, i]
            h.force[k, i] += p.weight[mode] * p.size[mode] * _direction(p, mode, k, i)


@kernel
def _add_covariance(p, mode, h):
    weight = p.weight[mode] / h.probability
    for k in range(p.contacts):
        for i in range(3):
            to_i = _direction(p, mode, k, i)
            for j in range(3):
                to_j = _direction(p, mode, k, j)
                h.point_covariance[k, i, j] += weight * (p.point[k, i] - h.point[k, i]) * (
                    p.point[k, j] - h.point[k, j])
                h.force_covariance[k, i, j] += weight * (
                    (p.size[mode] * to_i - h.force[k, i]) * (p.size[mode] * to_j - h.force[k, j])
                    + p.size_variance[mode] * to_i * to_j)
