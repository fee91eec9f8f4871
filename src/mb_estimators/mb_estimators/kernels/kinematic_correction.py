"""Correction of a kinematic filter, and what it keeps of it: inputs of the next step, forces."""

from math import exp, isinf

from mb_estimators.kernels.correction import CORRECTED, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.motion_correction import correct_motion
from mb_estimators.kernels.motion_observation import report_motion
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import (
    cholesky_factor,
    cholesky_solve,
    congruence,
    force_by_state,
    linearise,
    reduce_dynamics,
)
from mb_model.record import G
from mb_sensors.kernel_api import reads_accelerations

DISTURBANCE = RecordType(
    'mb_estimators.kernels.kinematic_correction.DISTURBANCE', force=[
    ('bandwidth', REAL),                               # [rad/s], of an observer
    ('filters', INTEGER),                              # 1: by an EKF of forces
    ('walk', REAL),                                    # of its forces, variance per time
    ('elapsed', REAL),                                 # since the last estimate [s]
    ('force', REAL, (G,)),                             # on each degree of freedom
    ('covariance', REAL, (G, G)),                      # of it
], scratch=[
    ('total', REAL, (G, G)), ('factor', REAL, (G, G)),     # covariance of innovations, and its
    ('innovation', REAL, (G,)), ('gain', REAL, (G, G)),    # Cholesky factor
    ('corrected', REAL, (G, G)),
    ('noise', REAL, (G, G)),                           # covariance of what inverse dynamics ask for
])


@kernel
def observe_disturbance(model, work, f, d):
    """Let d.force follow f.force, what inverse dynamics ask for beside the known forces.

    With d.filters by an EKF, see _filter_forces; else by a lag of first order: over a time h by the
    share 1 - e^(-bandwidth h).  The force of a motion has the derivatives M_bar [-A, -B, I] by z,
    zd, zdd, with A and B of a model with that force, which work is; so the covariance follows from
    f.P.  The errors of successive motions are correlated, how is not known here: the covariance
    of a mean is at most the mean of covariances.
    Source: Rodriguez et al. 2023, Sec. 8 (two-stage estimator).
    """
    g, by_state, covariance = model.g, f.left, d.noise
    linearise(model, work)
    force_by_state(work, g, by_state)
    congruence(by_state, f.P, g, 3 * g, f.product, covariance)
    if d.filters == 1:
        return _filter_forces(g, f, covariance, d)
    share = 1.0 - exp(-d.bandwidth * d.elapsed)
    d.elapsed = 0.0
    for i in range(g):
        d.force[i] += share * (f.force[i] - d.force[i])
        for j in range(i + 1):
            d.covariance[i, j] += share * (covariance[i, j] - d.covariance[i, j])
            d.covariance[j, i] = d.covariance[i, j]
    return True


@kernel
def _filter_forces(g, f, noise, d):
    """Correct forces that walk randomly by f.force, a reading of them with a covariance (g, g).

    The first reading is the start.  Errors of successive motions are taken for white, as in the
    source.  Source: Rodriguez et al. 2023, Sec. 8 [42].  Returns False if the covariance is not
    positive definite.
    """
    first = isinf(d.elapsed)
    for i in range(g):
        if not first:
            d.covariance[i, i] += d.walk * d.elapsed
        for j in range(g):
            if first:
                d.covariance[i, j] = noise[i, j]
            d.total[i, j] = d.covariance[i, j] + noise[i, j]
            d.factor[i, j] = d.total[i, j]
        d.innovation[i] = f.force[i] - d.force[i]
    d.elapsed = 0.0
    if first:
        for i in range(g):
            d.force[i] = f.force[i]
        return True
    if not cholesky_factor(d.factor, g):
        return False
    for i in range(g):
        for j in range(g):
            d.gain[i, j] = d.covariance[i, j]
        cholesky_solve(d.factor, d.gain[i], g)      # a row of P (P + N)^-1, both symmetric
    for i in range(g):
        for j in range(g):
            d.force[i] += d.gain[i, j] * d.innovation[j]
            d.corrected[i, j] = 0.0
            for k in range(g):
                d.corrected[i, j] += d.gain[i, k] * noise[k, j]
    for i in range(g):
        for j in range(g):
            d.covariance[i, j] = 0.5 * (d.corrected[i, j] + d.corrected[j, i])
    return True


@entry
def correct_kinematic(models, works, reported, channels, filters, kinematics, disturbances,
                      readings):
    """Correct z, zd, zdd (and the jerk) and f.P by readings (NaN where there is none).

    What accelerometers read is also kept as input of the next step, see predict_kinematic.  Then
    the second stage: forces from inverse dynamics, in the workspace `reported`.
    Source: Rodriguez et al. 2023, Sec. 8.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    f = filters[0]
    status = correct_motion(models, works, channels, filters, kinematics, readings)
    if status != CORRECTED:
        return status
    for a in range(f.count):
        channel = f.present[a]
        if reads_accelerations(channels[channel]):
            f.readings[channel] = readings[channel]
    if not report_motion(models, works, reported, filters) or not _find_forces(
            models[0], works[0], reported[0], f):
        return SINGULAR
    if not observe_disturbance(models[0], reported[0], f, disturbances[0]):
        return NOT_POSITIVE
    return CORRECTED


@kernel
def _find_forces(model, work, reported, f):
    """Write f.force, what the motion in `reported` needs beside the model's and work.forces."""
    for k in range(model.g):
        reported.forces[k] = work.forces[k]
    if not reduce_dynamics(model, reported):
        return False
    for k in range(model.g):
        f.force[k] = -reported.Q_bar[k]
        for j in range(model.g):
            f.force[k] += reported.M_bar[k, j] * reported.zdd[j]
    return True
