"""The mean force of a contact, and its covariance."""

from math import exp

from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, reduce_mass, solve_lower


@entry
def take(evidences, g, stamp, approach, zd, force, covariance):
    """Add the force (g) of an instant to the mean, unless it comes late.

    The first one of a contact keeps the motion that led to it (g), approach.  Forces are averaged
    with exponential forgetting.
    """
    evidence = evidences[0]
    before, dt = evidence.time, 1e-9 * (stamp - evidence.stamp)
    if before > 0.0 and dt <= 0.0:
        return
    if before == 0.0:
        dt = evidence.correlation_time
        for k in range(g):
            evidence.approach[k] = approach[k]
    decay = exp(-dt / evidence.memory)
    evidence.stamp, evidence.time = stamp, decay * before + dt
    evidence.elapsed += dt
    for k in range(g):
        evidence.zd[k], evidence.latest[k] = zd[k], force[k]
        evidence.force[k] += dt / evidence.time * (force[k] - evidence.force[k])
        for j in range(g):
            evidence.spread[k, j] = (decay * decay * evidence.spread[k, j]
                                     + dt * max(dt, evidence.correlation_time) * covariance[k, j])


@kernel
def whiten(model, work, evidence):
    """Write the factor of the covariance of the mean force, and forces over it.

    The covariance: noise, and two errors as shares of the force, as if accelerations were equally
    wrong in all directions, in the metric of the mass matrix: the model's error, which does not
    average out, and the lag of the estimate.
    """
    g = model.g
    reduce_mass(model, work)
    for k in range(g):
        evidence.white[k] = evidence.force[k]
        for j in range(k + 1):
            evidence.factor[k, j] = work.M_bar[k, j]
    if not cholesky_factor(evidence.factor, g):
        return False
    solve_lower(evidence.factor, evidence.white, g)
    kinetic = 0.0
    for k in range(g):
        kinetic += evidence.white[k] ** 2
    share = (evidence.model_uncertainty ** 2 + (evidence.lag / evidence.elapsed) ** 2) * kinetic / g
    for k in range(g):
        evidence.white[k], evidence.white_latest[k] = evidence.force[k], evidence.latest[k]
        for j in range(k + 1):
            evidence.factor[k, j] = (evidence.spread[k, j] / evidence.time ** 2
                                     + share * work.M_bar[k, j])
    if not cholesky_factor(evidence.factor, g):
        return False
    solve_lower(evidence.factor, evidence.white, g)
    solve_lower(evidence.factor, evidence.white_latest, g)
    return True
