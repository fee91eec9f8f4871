"""Uncertainty of forces from outside: by the estimated state, the torques and the model."""

from numba import float64

from mb_contact.detection.kernels.detector_record import DETECTOR
from mb_contact.external_force.observer_record import DRIVES, OBSERVER
from mb_contact.kernels.observer import share
from mb_model.jit import kernel, separate
from mb_model.kernel_api import add_force, congruence, force_by_state, linearise
from mb_model.record import MODEL, WORK

_RENEWAL = 10             # instants
_DIRECT, _MOMENTUM = 0, 1


@kernel
def _by_bodies(model, work, detector):
    """Write by_error of bodies: R^T (M_b qdd - Q_b), of the inertia and weight of body b alone.

    Gravity is an acceleration of both points: M_b times it is the weight.
    """
    lift = detector.lift
    for b in range(model.bodies):
        first, second = model.body_index[b, 0], model.body_index[b, 1]
        lift[0], lift[1] = work.qdd[first], work.qdd[first + 1]
        lift[2], lift[3] = work.qdd[second], work.qdd[second + 1]
        for k in range(model.g):
            detector.by_error[b, k] = 0.0
        for i in range(4):
            row = first + i if i < 2 else second + i - 2
            pull = 0.0
            for j in range(4):
                pull += detector.inertia[b, i, j] * (lift[j] - model.gravity[j % 2])
            for k in range(model.g):
                detector.by_error[b, k] += work.R[row, k] * pull


@kernel
def _by_forces(model, work, detector):
    """Write by_error of the forces of the model: -R^T Q_f, of force f alone."""
    for f in range(model.forces):
        for row in range(model.n_total):
            detector.load[row] = 0.0
        add_force(model.force_kind[f], model.force_index[f], model.force_value[f], work.q, work.qd,
                  detector.load)
        for k in range(model.g):
            detector.by_error[model.bodies + f, k] = 0.0
        for row in range(model.n_total):
            if detector.load[row] != 0.0:
                for k in range(model.g):
                    detector.by_error[model.bodies + f, k] -= work.R[row, k] * detector.load[row]


@separate(MODEL, WORK, DETECTOR)
def model_errors(model, work, detector):
    """After inverse_dynamics: write by_error (e, g), the effect of 100 % of each error."""
    _by_bodies(model, work, detector)
    _by_forces(model, work, detector)


@kernel
def _add_errors(model, detector, method, by_error):
    """Add the errors of the model, which are independent of each other."""
    for e in range(model.bodies + model.forces):
        deviation = detector.body_deviation if e < model.bodies else detector.force_deviation
        for k in range(model.g):
            for i in range(model.g):
                detector.covariance[method, k, i] += (
                    deviation * deviation * by_error[e, k] * by_error[e, i])


@kernel
def _is_small(detector, method, k, variance):
    most = detector.largest_deviation * detector.threshold[method, k]
    return variance <= most * most


@kernel
def _of_torques(work, drives, detector, k, i):
    """Return the covariance of the forces of drives on degrees of freedom k and i."""
    total = 0.0
    for d in range(drives.count):
        row = drives.coordinate[d]
        total += work.R[row, k] * work.R[row, i]
    return total * detector.torque_deviation * detector.torque_deviation


@separate(MODEL, WORK, DETECTOR)
def state_derivatives(model, work, detector):
    """After inverse_dynamics: write by_state (g, 3g) of the direct force; exact.

    linearise gives the accelerations that keep the force: -M_bar times these.  But for M_bar, the
    derivatives may be up to _RENEWAL - 1 instants old: they take long to compute, and contribute
    least to the uncertainty.
    """
    if detector.age == 0:
        linearise(model, work)
        force_by_state(work, model.g, detector.by_state)
    for k in range(model.g):
        for i in range(model.g):
            detector.by_state[k, 2 * model.g + i] = work.M_bar[k, i]
    detector.age = (detector.age + 1) % _RENEWAL


@separate(MODEL, WORK, DRIVES, DETECTOR, float64[:, ::1])
def direct_covariance(model, work, drives, detector, P):
    """Write the covariance of the direct force: by_state P by_state^T, torques, model errors.

    P: of z, zd, zdd.  Returns whether the deviation by P alone is small against the threshold.
    """
    small = True
    g, covariance = model.g, detector.covariance[_DIRECT]
    congruence(detector.by_state, P, g, P.shape[0], detector.product, covariance)
    for k in range(g):
        small = small and _is_small(detector, _DIRECT, k, covariance[k, k])
        for i in range(g):
            covariance[k, i] += _of_torques(work, drives, detector, k, i)
    _add_errors(model, detector, _DIRECT, detector.by_error)
    return small


@separate(MODEL, WORK, DRIVES, OBSERVER, DETECTOR, float64[:, ::1], float64)
def observer_covariance(model, work, drives, observer, detector, P, dt):
    """Write the covariance of the observer's force, after a step of dt [s].

    With a = 1 - exp(-gain dt), white noise of the momentum, M_bar P_zd M_bar, enters by
    a_k a_i / dt^2 (1 + w), and the noise of the torques by w, w = a_k a_i / (a_k + a_i - a_k a_i):
    the gains of a first-order lag for a difference over a step, and for white noise.  Noise of zd
    that lasts longer than a step enters by less.  Errors of the model follow the same lag.
    P: of z, zd and maybe zdd.  Returns whether the deviation by P alone is small against the
    threshold.
    """
    small = True
    g, shares, covariance = model.g, work.small1, detector.covariance[_MOMENTUM]
    congruence(work.M_bar, P[g:, g:], g, g, detector.product, covariance)
    for k in range(g):
        shares[k] = share(observer.gain[k], dt)
    for k in range(g):
        a_k = shares[k]
        for e in range(model.bodies + model.forces):
            detector.lagged[e, k] += a_k * (detector.by_error[e, k] - detector.lagged[e, k])
        for i in range(g):
            a_i = shares[i]
            white = a_k * a_i / (a_k + a_i - a_k * a_i)
            covariance[k, i] *= a_k * a_i / (dt * dt) * (1.0 + white)
            small = small and (i != k or _is_small(detector, _MOMENTUM, k, covariance[k, k]))
            covariance[k, i] += white * _of_torques(work, drives, detector, k, i)
    _add_errors(model, detector, _MOMENTUM, detector.lagged)
    return small
