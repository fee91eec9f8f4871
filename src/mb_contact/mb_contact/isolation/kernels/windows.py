"""The forces of a contact, as means over windows of time, and the covariance of all of them."""

from math import sqrt

from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, reduce_mass, solve_lower

_ROUNDING = 1e-9        # of times [s]


@entry
def take(evidences, g, stamp, approach, zd, force, covariance, q):
    """Add the force (g) of an instant to the latest window, or to a new one, unless it comes late.

    The first one of a contact keeps the motion that led to it (g), approach.  A window that is one
    too many drops the oldest.  q: of the instant, empty if unknown.
    """
    evidence = evidences[0]
    dt = 1e-9 * (stamp - evidence.stamp)
    if evidence.count > 0 and dt <= 0.0:
        return
    if evidence.count == 0:
        dt = evidence.correlation_time
        evidence.elapsed = 0.0
        for k in range(g):
            evidence.approach[k] = approach[k]
    evidence.stamp = stamp
    evidence.elapsed += dt
    if (evidence.count == 0
            or evidence.time[evidence.count - 1] > evidence.window - _ROUNDING):
        _begin(evidence, g)
    w = evidence.count - 1
    if evidence.time[w] == 0.0 or evidence.time[w] + dt < 0.5 * evidence.window + _ROUNDING:
        evidence.placed[w] = q.size
        evidence.zd[w, :g] = zd
        evidence.q[w, :q.size] = q
    evidence.time[w] += dt
    evidence.until[w] = evidence.elapsed
    for k in range(g):
        evidence.latest[k] = force[k]
        evidence.force[w, k] += dt / evidence.time[w] * (force[k] - evidence.force[w, k])
        for j in range(g):
            evidence.spread[w, k, j] += dt * max(dt, evidence.correlation_time) * covariance[k, j]


@kernel
def _begin(evidence, g):
    """Begin a window, without the oldest ones if there are too many."""
    while evidence.count >= evidence.windows:
        for w in range(evidence.count - 1):
            evidence.time[w], evidence.until[w] = evidence.time[w + 1], evidence.until[w + 1]
            evidence.force[w], evidence.zd[w] = evidence.force[w + 1], evidence.zd[w + 1]
            evidence.spread[w], evidence.q[w] = evidence.spread[w + 1], evidence.q[w + 1]
            evidence.placed[w] = evidence.placed[w + 1]
        evidence.count -= 1
    w = evidence.count
    evidence.time[w], evidence.force[w], evidence.spread[w] = 0.0, 0.0, 0.0
    evidence.count += 1


@kernel
def whiten(model, work, evidence):
    """Write the factors of the covariances of forces, and forces over them; False if singular.

    The latest window is the first one there, so that the first rows are of the latest ones alone.
    The covariance: noise, and two errors as shares of forces, as if accelerations were equally
    wrong in all directions, in the metric of the mass matrix.  The model's error is a matrix times
    the force with entries that are independent there: it stays alike while the force does, and
    does not average out.  The lag of the estimate is another one in each window.
    """
    g, count = model.g, evidence.count
    reduce_mass(model, work)
    for k in range(g):
        for j in range(k + 1):
            evidence.metric[k, j] = work.M_bar[k, j]
    if not cholesky_factor(evidence.metric, g):
        return False
    for w in range(count):
        evidence.scaled[w] = evidence.force[w]
        solve_lower(evidence.metric, evidence.scaled[w], g)
    latest = 0.0
    for back in range(count):
        w = count - 1 - back
        for later in range(back + 1):
            _add_block(evidence, work, back, later, g)
        size = 0.0
        for k in range(g):
            evidence.white[back * g + k] = evidence.force[w, k]
            size += evidence.scaled[w, k] ** 2
        latest = size if back == 0 else latest
        evidence.ratio[back] = sqrt(size / latest) if latest > 0.0 else 1.0
    if not cholesky_factor(evidence.factor, count * g):
        return False
    evidence.white_latest[:] = evidence.latest
    solve_lower(evidence.factor, evidence.white_latest, g)
    solve_lower(evidence.factor, evidence.white, count * g)
    return True


@kernel
def _add_block(evidence, work, back, later, g):
    """Write the covariance of the forces of two windows to their part of the factor.

    back, later: how many windows are after each; later <= back.
    """
    v, w = evidence.count - 1 - back, evidence.count - 1 - later
    kinetic = 0.0
    for k in range(g):
        kinetic += evidence.scaled[v, k] * evidence.scaled[w, k]
    share = evidence.model_uncertainty ** 2 * kinetic / g
    if v == w:
        share += (evidence.lag / step(evidence, v)) ** 2 * _change(evidence, v, g) / g
    for k in range(g):
        for j in range(g):
            evidence.factor[back * g + k, later * g + j] = share * work.M_bar[k, j]
            if v == w:
                evidence.factor[back * g + k, later * g + j] += (
                    evidence.spread[v, k, j] / evidence.time[v] ** 2)


@kernel
def step(evidence, w):
    """Return the time from the middle of the window before to the middle of w [s].

    Of the first one: from the beginning of the contact to its end.
    """
    if w == 0:
        return evidence.until[0]
    return 0.5 * (evidence.time[w - 1] + evidence.time[w])


@kernel
def _change(evidence, w, g):
    """Return the square of the change of the force since the window before, from 0 for the first.

    In the metric of the mass matrix.
    """
    total = 0.0
    for k in range(g):
        before = evidence.scaled[w - 1, k] if w > 0 else 0.0
        total += (evidence.scaled[w, k] - before) ** 2
    return total
