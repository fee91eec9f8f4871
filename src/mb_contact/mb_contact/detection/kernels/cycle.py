"""One cycle of the contact detector: a new state."""

from math import isfinite

from numba import float64, int64

from mb_contact.detection.kernels.detector_record import (
    DETECTOR,
    JUDGED,
    LATE,
    NO_POSITION,
    NOT_FINITE,
    SETTLING,
    STARTING,
    UNCERTAIN,
    decide,
    release,
)
from mb_contact.detection.kernels.rest import forget_rest, note_motion, settle
from mb_contact.detection.kernels.uncertainty import (
    direct_covariance,
    model_errors,
    observer_covariance,
    state_derivatives,
)
from mb_contact.kernels.external_force import DRIVES, OBSERVER, load_torques, observe
from mb_contact.kernels.motion import find_motion
from mb_model.jit import entry, kernel, separate
from mb_model.record import MODEL, WORK

_DIRECT, _MOMENTUM = 0, 1
_VECTOR = float64[::1]


@kernel
def _load(model, work, drives, z, zd, zdd, P, torques, now):
    """Copy a state; return whether it is complete and finite."""
    g, size = model.g, P.shape[0]
    if (z.size != g or zd.size != g or zdd.size != g or torques.size != drives.count
            or now.size != drives.count or P.shape[1] != size or size > 3 * g):
        return False
    total = 0.0
    for k in range(g):
        work.z[k], work.zd[k], work.zdd[k] = z[k], zd[k], zdd[k]
        total += z[k] + zd[k] + zdd[k]
    for d in range(drives.count):
        total += torques[d] + now[d]
    for i in range(size):
        if not P[i, i] >= 0.0:
            return False
        for j in range(size):
            total += P[i, j]
    load_torques(work, drives, torques)
    return isfinite(total)


@kernel
def _move(model, work, drives, q):
    """Find the motion and the forces that it needs; return whether they are finite."""
    if not find_motion(model, work, drives.start, q, drives.follows):
        return False
    total = 0.0
    for k in range(model.g):
        total += work.forces[k]
    return isfinite(total)


@kernel
def _restart(observer, detector, g):
    """Forget everything but the stamps."""
    observer.noted = detector.age = 0
    release(detector)
    forget_rest(detector, g)
    detector.exceeds[_DIRECT] = detector.exceeds[_MOMENTUM] = 0
    for k in range(g):
        observer.force[k] = detector.force[_DIRECT, k] = 0.0
        for e in range(detector.lagged.shape[0]):
            detector.lagged[e, k] = 0.0


@kernel
def _estimate_direct(model, work, drives, detector, stamp, P, torques, now):
    """Write the force by the direct method, under the torques of now; return the status."""
    detector.known[_DIRECT] = P.shape[0] == 3 * model.g
    if detector.known[_DIRECT]:
        state_derivatives(model, work, detector)
        if not direct_covariance(model, work, drives, detector, P):
            return UNCERTAIN
    detector.estimated[_DIRECT], detector.seen[_DIRECT] = 1, stamp
    for k in range(model.g):
        detector.force[_DIRECT, k] = work.forces[k]
        for d in range(drives.count):
            detector.force[_DIRECT, k] -= work.R[drives.coordinate[d], k] * (now[d] - torques[d])
    return JUDGED


@kernel
def _estimate_observed(model, work, drives, observer, detector, stamp, P, dt):
    """Update the observer with the state and write its force; return the status."""
    detector.known[_MOMENTUM] = P.shape[0] >= 2 * model.g
    if detector.known[_MOMENTUM] and not observer_covariance(
            model, work, drives, observer, detector, P, dt):
        observer.noted = 0
        return UNCERTAIN
    observe(model, work, drives, observer, dt)
    detector.estimated[_MOMENTUM], detector.seen[_MOMENTUM] = 1, stamp
    for k in range(model.g):
        detector.force[_MOMENTUM, k] = observer.force[k]
    return JUDGED


@kernel
def _improve(model, work, drives, detector, stamp, q, z, zd, zdd, P, torques, now):
    """Judge a better estimate of a past instant: the direct method has no memory."""
    oldest = max(detector.begun + max(1, detector.settling_time),
                 detector.usable - detector.longest_gap)
    if stamp < oldest or not detector.runs[_DIRECT]:
        return LATE
    if not _load(model, work, drives, z, zd, zdd, P, torques, now):
        return NOT_FINITE
    if not _move(model, work, drives, q):
        return NO_POSITION
    model_errors(model, work, detector)
    status = _estimate_direct(model, work, drives, detector, stamp, P, torques, now)
    decide(detector, model.g, detector.stamp if status != JUDGED else stamp)
    return status


@separate(MODEL, WORK, DRIVES, OBSERVER, DETECTOR, int64, _VECTOR, _VECTOR, _VECTOR, _VECTOR,
          float64[:, ::1], _VECTOR, _VECTOR)
def _cycle(model, work, drives, observer, detector, stamp, q, z, zd, zdd, P, torques, now):
    """Return the status of a state; write its forces to the detector."""
    detector.estimated[_DIRECT] = detector.estimated[_MOMENTUM] = 0
    if detector.started and stamp <= detector.stamp:
        return _improve(model, work, drives, detector, stamp, q, z, zd, zdd, P, torques, now)
    dt = 1e-9 * (stamp - detector.stamp)
    starts = not detector.started or stamp - detector.usable > detector.longest_gap
    if starts:
        _restart(observer, detector, model.g)
    detector.started, detector.stamp = 1, stamp
    if not _load(model, work, drives, z, zd, zdd, P, torques, now):
        observer.noted = 0
        return NOT_FINITE
    if not _move(model, work, drives, q):
        observer.noted = 0
        return NO_POSITION
    detector.usable = stamp
    if starts:
        detector.begun = stamp
        observe(model, work, drives, observer, dt)
        return STARTING
    model_errors(model, work, detector)
    status = JUDGED
    if detector.runs[_DIRECT]:
        status = _estimate_direct(model, work, drives, detector, stamp, P, torques, now)
    if detector.runs[_MOMENTUM]:
        status = max(status, _estimate_observed(
            model, work, drives, observer, detector, stamp, P, dt))
    if stamp - detector.begun < detector.settling_time:
        detector.estimated[_DIRECT] = detector.estimated[_MOMENTUM] = 0
        return max(status, SETTLING)
    note_motion(detector, work, model.g, dt)
    decide(detector, model.g, stamp)
    settle(detector, model.g, stamp)
    return status


@entry
def cycle(models, works, drives, observers, detectors, stamp, q, z, zd, zdd, P, torques, now):
    """Add a state; return its status.  Results are in the detector.

    q (n), z, zd, zdd (g), torques (d): their mean since the state before, for the observer; now
    (d): at the stamp, for the direct method; P: covariance of z, zd, zdd; q and P may be empty.
    """
    return _cycle(models[0], works[0], drives[0], observers[0], detectors[0], stamp, q, z, zd, zdd,
                  P, torques, now)


@entry
def cycles(models, works, drives, observers, detectors, stamps, q, z, zd, zdd, P, torques, outcomes,
           force, covariance):
    """Add many states, one a row.

    Writes outcomes (k, 4): status, detected, since, first; force (k, methods, g) and covariance
    (k, methods, g, g) where they are estimated.
    """
    detector, g = detectors[0], models[0].g
    for row in range(stamps.size):
        outcomes[row, 0] = _cycle(models[0], works[0], drives[0], observers[0], detector,
                                  stamps[row], q[row], z[row], zd[row], zdd[row], P[row],
                                  torques[row], torques[row])
        outcomes[row, 1], outcomes[row, 2], outcomes[row, 3] = (
            detector.detected, detector.since, detector.first)
        for method in range(detector.runs.size):
            for k in range(g):
                if detector.estimated[method]:
                    force[row, method, k] = detector.force[method, k]
                for i in range(g):
                    if detector.estimated[method] and detector.known[method]:
                        covariance[row, method, k, i] = detector.covariance[method, k, i]
