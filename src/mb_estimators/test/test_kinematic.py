"""The filter of kinematics: what it must not know, measured accelerations, forces."""

import numpy as np
import pytest

from mb_estimators import Experiment, make_filter
from mb_model import load_mechanism, simulate
from mb_sensors.readings import true_values

DT = 0.005
MODELS = pytest.mark.parametrize('model', ['random_walk', 'jerk', 'derivative', 'input'])


def readings_of(mechanism, filter_, run, k):
    """Return what the sensors of a filter read without noise at an instant of a run."""
    state = (run.q[k:k + 1], run.qd[k:k + 1], run.qdd[k:k + 1])
    return np.hstack([true_values(mechanism, sensor, *state)[0] for sensor in filter_.sensors])


@MODELS
def test_masses_gravity_and_known_forces_say_nothing_about_the_motion(model):
    mechanism = load_mechanism('five_bar')
    heavy = mechanism.replace(bodies={body: {'mass': 10.0 + k}
                                      for k, body in enumerate(mechanism.bodies)})
    run = simulate(mechanism, 0.5, DT)
    names = ['crank_encoders', 'crank_accelerometers', 'coupler_gyros']
    first = make_filter('kinematic_kf', mechanism, names, DT, acceleration_model=model)
    other = make_filter('kinematic_kf', heavy.replace(gravity=[1.0, 3.0]), list(first.sensors), DT,
                        acceleration_model=model)
    for k in range(1, len(run.t)):
        reading = readings_of(mechanism, first, run, k)
        for filter_, forces in ((first, None), (other, np.array([30.0, -20.0]))):
            filter_.predict(DT, forces)
            filter_.correct(reading)
    for name in ('z', 'zd', 'zdd', 'covariance'):
        np.testing.assert_allclose(getattr(first.estimate, name), getattr(other.estimate, name),
                                   rtol=1e-7, atol=1e-9)
    assert np.abs(first.estimate.forces - other.estimate.forces).min() > 1.0


@pytest.mark.parametrize(('model', 'own'), [('difference', 0.0), ('derivative', 0.4)])
def test_accelerations_are_differences_of_velocities(model, own):
    """Plain matrices: w moves zd in a step, zdd_k = (zd_k - zd_k-1) / h; `own` is of zdd alone."""
    variance, sigma = 0.7, 17.453e-3
    filter_ = make_filter('kinematic_kf', load_mechanism('four_bar'), ['crank_encoder'], DT,
                          acceleration_model=model, acceleration_variance=variance,
                          derivative_variance=own or 1.0, initial_variance=0.04,
                          initial_acceleration_variance=9.0, gate=0.0)
    x, P = np.array([filter_.estimate.z[0], 0.0, 0.0]), np.diag([0.04, 0.04, 9.0])
    random, H = np.random.default_rng(3), np.array([1.0, 0.0, 0.0])
    for _ in range(200):
        h = DT * random.uniform(0.3, 1.0)
        F = np.array([[1.0, h, h * h / 2.0], [0.0, 1.0, h], [0.0, 0.0, 1.0]])
        walk = np.array([[h ** 5 / 20.0, h ** 4 / 8.0, h ** 3 / 6.0],
                         [h ** 4 / 8.0, h ** 3 / 3.0, h ** 2 / 2.0],
                         [h ** 3 / 6.0, h ** 2 / 2.0, h]])
        moved = np.array([h / 2.0 * h, h, 1.0])       # z, zd and their difference by h, per w
        x, P = F @ x, F @ P @ F.T + (variance * h / DT * np.outer(moved, moved) + own / DT * walk)
        filter_.predict(h)
        reading = random.normal(x[0], 0.02)
        filter_.correct([reading])
        K = P @ H / (H @ P @ H + sigma ** 2)
        x, P = x + K * (reading - x[0]), P - np.outer(K, H @ P)
        estimate = filter_.estimate
        np.testing.assert_allclose(
            [estimate.z[0], estimate.zd[0], estimate.zdd[0]], x, atol=1e-8)
    np.testing.assert_allclose(filter_.state_covariance, P, rtol=1e-6, atol=1e-10)


def held_readings(mechanism, sensors, read):
    """Return the rates (zd, zdd) of a state under readings of accelerometers, by least squares."""
    g = mechanism.g

    def rates(x):
        q = mechanism.assemble(x[:g])
        qd = mechanism.velocity(q, x[g:])

        def felt(zdd):
            state = [a[None] for a in (q, qd, mechanism.acceleration(q, qd, zdd))]
            return np.hstack([true_values(mechanism, s, *state)[0] for s in sensors])

        still = felt(np.zeros(g))
        J = np.array([felt(row) - still for row in np.eye(g)]).T
        return np.concatenate([x[g:], np.linalg.lstsq(J, read - still, rcond=None)[0]])

    return rates


def textbook_step(scheme, rates, x, h):
    """Return z, zd after a step, and the mean acceleration in it."""
    g, k1 = len(x) // 2, rates(x)
    if scheme == 'taylor':
        mean = k1 + np.concatenate([0.5 * h * k1[g:], np.zeros(g)])
    elif scheme == 'rk2':
        mean = rates(x + 0.5 * h * k1)
    else:
        k2 = rates(x + 0.5 * h * k1)
        k3 = rates(x + 0.5 * h * k2)
        mean = (k1 + 2.0 * k2 + 2.0 * k3 + rates(x + h * k3)) / 6.0
    return np.concatenate([x + h * mean, mean[g:]])


@pytest.mark.parametrize('scheme', ['taylor', 'rk2', 'rk4'])
def test_accelerometers_are_inputs_with_the_derivatives_of_central_differences(scheme):
    """By state and covariance after a step; biases of the sensors have their part in it."""
    mechanism = load_mechanism('five_bar').replace(sensors={
        name: {'bias_sigma': 0.1} for name in load_mechanism('five_bar').sensors
        if name.endswith('_accelerometers')})
    filter_ = make_filter('kinematic_kf', mechanism, ['crank_accelerometers'], DT, gate=0.0,
                          acceleration_model='input', acceleration_variance=1e-20,
                          discretisation=scheme)
    x, zdd, h, g = np.array([0.3, 2.6, 0.8, -1.3]), np.array([-4.0, 7.0]), 0.02, 2
    q = mechanism.assemble(x[:g])
    qd = mechanism.velocity(q, x[g:])
    state = [a[None] for a in (q, qd, mechanism.acceleration(q, qd, zdd))]
    read = np.hstack([true_values(mechanism, s, *state)[0] for s in filter_.sensors])
    tiny = np.eye(3 * g + 4) * 1e-20

    def stepped(x, read, covariance):
        filter_.reset(x[:g], x[g:], tiny[:6, :6])
        filter_._filter['P'][:10, :10] = tiny            # also of the biases
        filter_.correct(read)
        filter_._filter['P'][:10, :10] = covariance
        filter_.predict(h)
        estimate = filter_.estimate
        return np.concatenate([estimate.z, estimate.zd, estimate.zdd]), estimate.covariance

    np.testing.assert_allclose(stepped(x, read, tiny)[0], textbook_step(
        scheme, held_readings(mechanism, filter_.sensors, read), x, h), atol=1e-8)
    read[:2] += [2.0, -3.0]                              # no motion fits them any more
    _, noise = stepped(x, read, tiny)
    for place, change in [(i, np.eye(8)[i]) for i in range(4)] + [
            (6 + i, -np.eye(8)[4 + i]) for i in range(4)]:
        d = 1e-6 * change
        column = (stepped(x + d[:4], read + d[4:], tiny)[0]
                  - stepped(x - d[:4], read - d[4:], tiny)[0]) / 2e-6
        _, spread = stepped(x, read, tiny + np.diag(np.eye(10)[place]))
        np.testing.assert_allclose(spread - noise, np.outer(column, column), rtol=1e-4, atol=1e-4)


@MODELS
def test_forces_are_as_uncertain_as_they_are_estimated(model):
    """What a wrong gravity makes, with deviations that are too large rather than too small."""
    experiment = Experiment('four_bar', ['crank_encoder', 'crank_gyro', 'crank_accelerometers'],
                            {'gravity': -1.0}, 6.0, DT)
    wrong, run = experiment.mechanism, experiment.truth
    filter_ = make_filter('kinematic_kf', wrong, experiment.sensors, DT, acceleration_model=model)
    ratios, missing = [], []
    for k, reading in enumerate(experiment.readings(3)):
        if k > 0:
            filter_.predict(DT)
        filter_.correct(reading)
        estimate = filter_.estimate
        if run.t[k] > 1.0:
            force = wrong.inverse_dynamics(run.z[k], run.zd[k], run.zdd[k], run.q[k])
            missing.append(force)
            ratios.append((estimate.forces - force) / estimate.force_deviations)
    assert 0.2 < np.mean(np.square(ratios)) < 1.5
    assert np.ptp(missing) > 10.0


def test_stages_follow_held_readings_to_their_order():
    """Against many short steps of scheme rk4, by a step of the filter and half of it."""
    mechanism = load_mechanism('five_bar')
    sensors = make_filter('kinematic_kf', mechanism, ['crank_accelerometers'], DT).sensors
    x = np.array([*mechanism.z0, 2.0, -1.5])
    read = np.array([3.0, -8.0, 1.0, -12.0])
    rates, errors = held_readings(mechanism, sensors, read), {}
    for h in (0.04, 0.02):
        exact = x
        for _ in range(200):
            exact = textbook_step('rk4', rates, exact, h / 200)[:4]
        for scheme in ('taylor', 'rk2', 'rk4'):
            filter_ = make_filter('kinematic_kf', mechanism, list(sensors), DT, gate=0.0,
                                  acceleration_model='input', discretisation=scheme,
                                  initial_variance=1e-16)
            filter_.reset(x[:2], x[2:])
            filter_.correct(read)
            filter_.reset(x[:2], x[2:])
            filter_._filter['readings'][:4] = read
            filter_.predict(h)
            estimate = filter_.estimate
            errors.setdefault(scheme, []).append(
                np.abs(np.concatenate([estimate.z, estimate.zd]) - exact).max())
    for scheme, order in (('taylor', 1), ('rk2', 2), ('rk4', 4)):
        coarse, fine = errors[scheme]
        assert coarse / fine > 0.7 * 2.0 ** (order + 1)
    assert errors['taylor'][1] > 2.0 * errors['rk2'][1] > 4.0 * errors['rk4'][1]


def test_an_ekf_of_forces_is_the_kalman_filter():
    """Plain matrices, on what inverse dynamics need of the estimated motion."""
    experiment = Experiment('five_bar', ['crank_encoders', 'crank_gyros'], {'gravity': -1.0}, 0.3,
                            DT)
    mechanism, psd, h = experiment.mechanism, 50.0, 1e-6
    filter_ = make_filter('kinematic_kf', mechanism, experiment.sensors, DT, force_stage='ekf',
                          force_psd=psd)

    def needed(x, near):
        return mechanism.inverse_dynamics(x[:2], x[2:4], x[4:], near)

    force = P = None
    for k, reading in enumerate(experiment.readings(1)):
        if k > 0:
            filter_.predict(DT)
        if k % 3 == 2:
            continue
        filter_.correct(reading)
        found = filter_.estimate
        x = np.concatenate([found.z, found.zd, found.zdd])
        D = np.array([(needed(x + h * row, found.q) - needed(x - h * row, found.q)) / (2.0 * h)
                      for row in np.eye(6)]).T
        N = D @ found.covariance @ D.T
        if force is None:       # the start has no readings, but a force
            force, P, last = found.forces, found.force_deviations, k
            P = filter_._disturbances['covariance'][0, :2, :2].copy()
            continue
        P = P + psd * DT * (k - last) * np.eye(2)
        K = P @ np.linalg.inv(P + N)
        force, P, last = force + K @ (needed(x, found.q) - force), (np.eye(2) - K) @ P, k
        np.testing.assert_allclose(found.forces, force, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(found.force_deviations, np.sqrt(P.diagonal()), rtol=1e-4)
