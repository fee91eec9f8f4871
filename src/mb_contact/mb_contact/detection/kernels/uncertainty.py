"""Uncertainty of forces from outside: by the estimated state, the torques and the model."""

from numba import float64

from mb_contact.detection.kernels.detector_record import DETECTOR
from mb_contact.kernels.external_force import DRIVES, OBSERVER, share
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    add_body_mass,
    add_element,
    add_force,
    congruence,
    force_by_state,
    linearise,
    second_moment,
)
from mb_model.record import MODEL, WORK

_add_body, _second_moment = add_body_mass, second_moment
_RENEWAL = 10             # instants
_DIRECT, _MOMENTUM = 0, 1


@entry
def body_inertias(models, out):
    """Write the mass matrix of each body, out (bodies, 4, 4), once zero.

    In the plane of its two points; in space of its origin and axes, the same for x, y and z.
    """
    model = models[0]
    for b in range(model.bodies):
        _add_body(model, b, 0, 2, out[b])
    for b in range(model.solids):
        for i in range(4):
            for j in range(4):
                out[model.bodies + b, i, j] = _second_moment(
                    model.solid_mass[b], model.solid_centre[b], model.solid_inertia[b],
                    model.solid_line[b], i, j)


@kernel
def _by_bodies(model, work, detector):
    """Write by_error of bodies: R^T (M_b qdd - Q_b), of the inertia and weight of body b alone.

    Gravity is an acceleration of both points: M_b times it is the weight.
    """
    lift = detector.lift
    for b in range(model.bodies):
        first, second = model.body_index[b, 0], model.body_index[b, 1]
        for axis in range(2):
            lift[axis, 0], lift[2 + axis, 0] = work.qdd[first + axis], work.qdd[second + axis]
        for k in range(model.g):
            detector.by_error[b, k] = 0.0
        for i in range(4):
            row = first + i if i < 2 else second + i - 2
            pull = 0.0
            for j in range(4):
                pull += detector.inertia[b, i, j] * (lift[j, 0] - model.gravity[j % 2])
            for k in range(model.g):
                detector.by_error[b, k] += work.R[row, k] * pull


@kernel
def _by_solids(model, work, detector):
    """Write the same of bodies in space: origin and axes of each are sums of nodes."""
    lift = detector.lift
    for b in range(model.solids):
        error, terms = model.bodies + b, range(model.solid_terms[b], model.solid_terms[b + 1])
        for k in range(model.g):
            detector.by_error[error, k] = 0.0
        for axis in range(3):
            for i in range(4):
                lift[i, axis] = -model.gravity[axis] if i == 0 else 0.0
                for t in terms:
                    lift[i, axis] += (model.solid_weight[t, i]
                                      * work.qdd[model.solid_node[t] + axis])
        for t in terms:
            for axis in range(3):
                pull = 0.0
                for i in range(4):
                    for j in range(4):
                        pull += (model.solid_weight[t, i] * detector.inertia[error, i, j]
                                 * lift[j, axis])
                row = model.solid_node[t] + axis
                for k in range(model.g):
                    detector.by_error[error, k] += work.R[row, k] * pull


@kernel
def _by_load(model, work, detector, error):
    """Write by_error of a force whose generalized forces are in detector.load: -R^T Q_f."""
    for k in range(model.g):
        detector.by_error[error, k] = 0.0
    for row in range(model.n_total):
        if detector.load[row] != 0.0:
            for k in range(model.g):
                detector.by_error[error, k] -= work.R[row, k] * detector.load[row]


@kernel
def _by_forces(model, work, detector):
    """Write by_error of the forces of the model, of each alone."""
    first = model.bodies + model.solids
    for f in range(model.forces):
        detector.load[:] = 0.0
        add_force(model.force_kind[f], model.force_index[f], model.force_value[f], work.q, work.qd,
                  detector.load)
        _by_load(model, work, detector, first + f)
    for f in range(model.elements):
        detector.load[:] = 0.0
        add_element(model, work, f, detector.load)
        _by_load(model, work, detector, first + model.forces + f)


@separate(MODEL, WORK, DETECTOR)
def model_errors(model, work, detector):
    """After inverse_dynamics: write by_error (e, g), the effect of 100 % of each error."""
    _by_bodies(model, work, detector)
    _by_solids(model, work, detector)
    _by_forces(model, work, detector)


@kernel
def _add_errors(model, detector, method, by_error):
    """Add the errors of the model, which are independent of each other."""
    bodies = model.bodies + model.solids
    for e in range(bodies + model.forces + model.elements):
        deviation = detector.body_deviation if e < bodies else detector.force_deviation
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
    g, shares, covariance = model.g, detector.shares, detector.covariance[_MOMENTUM]
    congruence(work.M_bar, P[g:, g:], g, g, detector.product, covariance)
    for k in range(g):
        shares[k] = share(observer.gain[k], dt)
    for k in range(g):
        a_k = shares[k]
        for e in range(model.bodies + model.solids + model.forces + model.elements):
            detector.lagged[e, k] += a_k * (detector.by_error[e, k] - detector.lagged[e, k])
        for i in range(g):
            a_i = shares[i]
            white = a_k * a_i / (a_k + a_i - a_k * a_i)
            covariance[k, i] *= a_k * a_i / (dt * dt) * (1.0 + white)
            small = small and (i != k or _is_small(detector, _MOMENTUM, k, covariance[k, k]))
            covariance[k, i] += white * _of_torques(work, drives, detector, k, i)
    _add_errors(model, detector, _MOMENTUM, detector.lagged)
    return small
