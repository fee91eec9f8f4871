"""adekf: forces at places of bodies as states, against textbooks and motions in plain numpy."""

from functools import cache

from free_motion import FLYWHEEL, SLED, SLED_IN_SPACE
import numpy as np
from plain_linkage import FIVE_BAR, FOUR_BAR
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT = 0.005
PUSH = {'push': {'kind': 'load', 'body': 'coupler', 'at': 'P2', 'force': [0.0, 0.0]}}
ACROSS = ('forces.push.force.x', 'forces.push.force.y')


def free_inertia(mechanism):
    return 1.0 / mechanism.force_jacobian(mechanism.z0, mechanism.zd0)[0, -1]


@pytest.mark.parametrize('exponential', ['exact', 'order_0', 'order_1'])
@pytest.mark.parametrize('mechanism', [FLYWHEEL, SLED, SLED_IN_SPACE],
                         ids=['flywheel', 'sled', 'sled in space'])
def test_on_a_free_motion_it_is_the_kalman_filter_with_a_force(mechanism, exponential):
    """z'' = force / inertia, and the force walks: a linear system, its noise by Van Loan's method.

    Forward Euler has its own transition, and the same noise.
    """
    inertia, psd, walk = free_inertia(mechanism), 0.3, 2.0
    rates = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0 / inertia], [0.0, 0.0, 0.0]])
    noise, R = np.diag([0.0, psd, walk ** 2]), np.diag([0.02 ** 2, 0.05 ** 2])
    H = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] if mechanism is FLYWHEEL
                 else [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    filter_ = make_filter('adekf', mechanism, list(mechanism.sensors), DT, initial_variance=0.01,
                          acceleration_psd=psd, force_deviations=(3.0,), force_walks=(walk,),
                          exponential=exponential)
    x, P = np.array([0.3, 2.0, 0.0]), np.diag([0.01, 0.01, 9.0])
    random = np.random.default_rng(3)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        filter_.predict(h)
        both = expm(h * np.block([[-rates, noise], [np.zeros((3, 3)), rates.T]]))
        F = np.eye(3) + h * rates if exponential == 'order_0' else both[3:, 3:].T
        x, P = F @ x, F @ P @ F.T + both[3:, 3:].T @ both[:3, 3:]
        reading = H @ x + random.normal(size=2) * [0.1, 0.2]
        fit = filter_.correct(reading)
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        np.testing.assert_allclose(fit.residual, reading - H @ x, atol=1e-9)
        np.testing.assert_allclose(fit.covariance, S, atol=1e-11)
        x, P = x + K @ (reading - H @ x), (np.eye(3) - K @ H) @ P
    estimate = filter_.estimate
    np.testing.assert_allclose([*estimate.z, *estimate.zd, *estimate.forces], x, atol=1e-8)
    np.testing.assert_allclose(estimate.zdd, x[2] / inertia, atol=1e-9)
    np.testing.assert_allclose(filter_.state_covariance, P, rtol=1e-8, atol=1e-10)
    assert estimate.force_deviations[0] == pytest.approx(np.sqrt(P[2, 2]), rel=1e-8)


def pushed(t, z, plain):
    """A contact: from a height on, a stiff spring on the joint of the links; and a wave across."""
    joint, by_z = plain.joints(z)[0][1], plain.joints(z)[1][1]
    height = {FOUR_BAR: 4.2, FIVE_BAR: 1.7}[plain]
    force = np.array([20.0 * np.sin(2.0 * t) if plain is FIVE_BAR else 0.0,
                      400.0 * max(0.0, np.real(height - joint[1]))])
    return force, by_z.T @ force


@cache
def contact(plain, name):
    """Return t, motion (z, zd, zdd) and the force on the joint, of the plain linkage."""
    mechanism = load_mechanism(name)
    g, t = mechanism.g, np.arange(0.0, 4.0, DT)

    def rates(now, x):
        z, zd = x[:g], x[g:]
        return np.concatenate([zd, plain.dynamics(z, zd, pushed(now, z, plain)[1])[0]])

    x = solve_ivp(rates, (0.0, t[-1]), np.concatenate([mechanism.z0, mechanism.zd0]), 'DOP853', t,
                  rtol=1e-9, atol=1e-9, max_step=2e-3).y.T
    zdd = np.array([rates(now, state)[g:] for now, state in zip(t, x, strict=True)])
    return t, x[:, :g], x[:, g:], zdd, np.array(
        [pushed(now, state[:g], plain)[0] for now, state in zip(t, x, strict=True)])


def estimated(mechanism, sensors, motion, seed, **settings):
    """Return values and deviations (t, p) of the unknown forces, and the estimates."""
    _, *state, _ = motion
    rows = [], [], []
    q = mechanism.q0
    for z, zd, zdd in zip(*state, strict=True):
        q = mechanism.assemble(z, q)
        qd = mechanism.velocity(q, zd)
        for row, value in zip(rows, (q, qd, mechanism.acceleration(q, qd, zdd)), strict=True):
            row.append(value)
    sensors = sensors_of(mechanism, sensors)
    readings = np.hstack([true_values(mechanism, s, *map(np.array, rows)) for s in sensors])
    sigmas = np.concatenate([np.full(len(s.channels), s.settings.sigma) for s in sensors])
    readings += np.random.default_rng(seed).standard_normal(readings.shape) * sigmas
    filter_ = make_filter('adekf', mechanism, sensors, DT, initial_variance=1e-4, **settings)
    estimates = []
    for reading in readings[1:]:
        filter_.predict(DT)
        filter_.correct(reading)
        estimates.append(filter_.estimate)
    return (np.array([list(e.parameters.values()) for e in estimates]),
            np.array([list(e.parameter_deviations.values()) for e in estimates]), estimates)


@pytest.mark.parametrize('exponential', ['exact', 'order_0', 'order_1'])
def test_a_contact_is_found_as_the_force_that_it_is(exponential):
    """The joint of the links of a swinging linkage touches a stiff floor now and then."""
    motion = contact(FOUR_BAR, 'four_bar')
    mechanism = load_mechanism('four_bar').replace(forces=PUSH)
    values, deviations, estimates = estimated(
        mechanism, ['crank_encoder', 'crank_gyro', 'coupler_gyro'], motion, 1,
        unknown_forces=('forces.push.force.y',), force_walks=(400.0,), exponential=exponential)
    true = motion[-1][1:, 1]
    assert np.ptp(true) > 50.0
    assert (true == 0.0).mean() > 0.2
    error = values[:, 0] - true
    assert np.sqrt(np.mean(error ** 2)) < 0.12 * np.std(true)
    # Euler's rule is off by h/2 zdd in a step, which is none of the noise
    inside = np.abs(error) < 1.96 * deviations[:, 0]
    assert inside[100:].mean() > (0.85 if exponential == 'order_0' else 0.9)
    by_z = [FOUR_BAR.joints(z)[1][1] for z in motion[1][1:]]
    on_z = np.einsum('tcz,tc->tz', by_z, motion[-1][1:])
    found = np.array([e.forces for e in estimates])
    assert np.sqrt(np.mean((found - on_z) ** 2)) < 0.12 * np.std(on_z)


def test_two_components_of_a_force_are_found_by_two_degrees_of_freedom():
    motion = contact(FIVE_BAR, 'five_bar')
    push = {'push': PUSH['push'] | {'body': 'left_coupler'}}
    mechanism = load_mechanism('five_bar').replace(forces=push)
    values, deviations, _ = estimated(
        mechanism, ['crank_encoders', 'crank_gyros'], motion, 2, unknown_forces=ACROSS,
        force_walks=(200.0,), force_deviations=(20.0, 30.0))
    error = values - motion[-1][1:]
    np.testing.assert_array_less(np.sqrt(np.mean(error[200:] ** 2, axis=0)),
                                 0.25 * np.std(motion[-1], axis=0))
    assert (np.abs(error)[100:] < 1.96 * deviations[100:]).mean() > 0.9


def test_accelerometers_read_the_force_at_once():
    """By the innovation covariance, of a force alone: the column is the difference by the load."""
    mechanism = load_mechanism('five_bar').replace(
        forces={'push': PUSH['push'] | {'body': 'right_coupler'}})
    z, zd = mechanism.z0 + 0.2, np.array([0.8, -1.3])
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    sensors = sensors_of(mechanism, ['crank_accelerometers'])

    def read(push):
        loaded = mechanism.replace(forces={'push': {'force': [0.0, push]}})
        qdd = mechanism.acceleration(q, qd, loaded.forward_dynamics(z, zd))
        return np.hstack([true_values(mechanism, s, q[None], qd[None], qdd[None])[0]
                          for s in sensors])

    filter_ = make_filter('adekf', mechanism, sensors, DT, unknown_forces=('forces.push.force.y',),
                          gate=0.0, acceleration_psd=1e-20, force_deviations=(2.0,))
    filter_.reset(z, zd, 1e-20 * np.eye(4))
    fit = filter_.correct(np.zeros(4))
    noise = np.diag([s.settings.variance for s in sensors for _ in s.channels])
    column = 2.0 * (read(1.0) - read(0.0))
    np.testing.assert_allclose(fit.covariance - noise, np.outer(column, column), rtol=1e-6,
                               atol=1e-9)
    assert np.abs(column).max() > 0.1


@pytest.mark.parametrize(('names', 'values', 'text'), [
    (('bodies.crank.mass',), {}, r'bodies\.crank\.mass: expected a number of a force, such as'),
    (('forces.push.at.x',), {}, r'forces\.push\.at\.x: expected a number of a force'),
    (('forces.pull.force.x',), {}, r'forces\.pull\.force\.x: is no parameter of the model'),
    (('theta', 'theta'), {}, 'must be different'),
    (('theta',), {'force_walks': (1.0, 2.0)}, 'force_walks: 2 values, expected 1 or one for each'),
])
def test_what_is_no_force_is_refused(names, values, text):
    with pytest.raises(ValueError, match=text):
        make_filter('adekf', load_mechanism('four_bar').replace(forces=PUSH), ['crank_encoder'], DT,
                    unknown_forces=names, **values)


def test_the_mechanism_stays_without_the_force():
    mechanism = load_mechanism('four_bar').replace(forces=PUSH)
    filter_ = make_filter('adekf', mechanism, ['crank_encoder'], DT, unknown_forces=ACROSS[1:])
    for _ in range(20):
        filter_.predict(DT)
        filter_.correct([1.5])
    assert filter_.estimate.parameters[ACROSS[1]] != 0.0
    assert mechanism.model['force_value'][0, 0, 3] == 0.0
    filter_.reset(mechanism.z0, mechanism.zd0)
    assert filter_.estimate.parameters == {ACROSS[1]: 0.0}


