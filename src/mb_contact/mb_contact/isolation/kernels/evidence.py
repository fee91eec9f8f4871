"""How well each way to touch a mechanism explains the forces from outside."""

from math import inf

from mb_contact.isolation.kernels.explanation import begin, go_on, over_factors
from mb_contact.isolation.kernels.place import expect, place_frames, put
from mb_contact.isolation.kernels.summary import clear, sum_up
from mb_contact.isolation.kernels.windows import whiten
from mb_model.jit import entry, kernel
from mb_model.kernel_api import find_references, reach_position, solve_velocity

_IMPROBABLE = 1e-6        # a prior this small against its hypothesis counts as zero
_BEYOND = 40.0            # a misfit so much above the best one makes a way improbable


@entry
def judge(models, works, evidences, frames, places, hypotheses):
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
    place_frames(model, work, frames, count * bodies)
    for w in range(count):
        if evidence.placed[w] == 0:
            place_frames(model, work, frames, w * bodies)
    clear(hypotheses)
    for k in range(places.size):
        p = places[k]
        p.prior[:], p.weight[:] = 0.0, 0.0
        if put(frames, 0, p, evidence, evidence.zd[0], model.g):
            expect(p, evidence, model.g)
        hypotheses[p.hypothesis].share += p.prior.sum()
    _weigh(evidence, frames, places, hypotheses, bodies, model.g)
    sum_up(places, hypotheses, evidence.unforeseen)
    return True


@kernel
def _weigh(evidence, frames, places, hypotheses, bodies, g):
    """Write misfits and weights of all places.

    The latest window comes first, all of them where that leaves a place probable: more windows
    raise a misfit.  The place that explains the latest window best shows what is probable, until
    another one explains all of them better.
    """
    first, lowest, best = 0, inf, inf
    for k in range(places.size):
        p = places[k]
        least = _IMPROBABLE * hypotheses[p.hypothesis].share
        if p.prior.max() > least:
            _by_latest(evidence, frames, p, least, bodies, g)
            misfit = _lowest(p)
            if misfit < lowest:
                first, lowest = k, misfit
    for number in range(-1, places.size):
        p = places[first if number < 0 else number]
        if number == first:
            continue
        if _lowest(p) <= best + _BEYOND:
            _by_all(evidence, frames, p, best + _BEYOND, bodies, g)
            best = min(best, _lowest(p))
        else:
            p.misfit[:] = inf


@kernel
def _lowest(p):
    """Return the lowest misfit of the ways of a place that have a weight."""
    lowest = inf
    for way in range(p.prior.size):
        if p.weight[way] > 0.0:
            lowest = min(lowest, p.misfit[way])
    return lowest


@kernel
def _by_latest(evidence, frames, p, least, bodies, g):
    """Write misfits and weights by the latest window, of ways with a prior above least."""
    _look_back(evidence, frames, p, 1, bodies, g)
    for way in range(p.prior.size):
        if p.prior[way] > least:
            begin(evidence, p, way, g)


@kernel
def _by_all(evidence, frames, p, most, bodies, g):
    """Write misfits and weights by all windows, of ways with a misfit up to most.

    That of others becomes infinite: weights by one window and by all do not compare.
    """
    _look_back(evidence, frames, p, evidence.count, bodies, g)
    for way in range(p.prior.size):
        if p.weight[way] > 0.0 and p.misfit[way] <= most:
            go_on(evidence, p, way, most, g)
        else:
            p.misfit[way] = inf


@kernel
def _look_back(evidence, frames, p, count, bodies, g):
    """Keep what a place has in its latest windows; the place is then where it is at present."""
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
            place_frames(model, work, frames, w * (model.bodies + model.solids))
    if moved:
        work.q[:model.n_total] = evidence.here
        find_references(models, works)
    return True
