"""Forces that the model does not know, estimated from its motion, and how fast they may change."""

from filter_traits import filters_with, known_parameters, own_settings
import numpy as np
import pytest

from mb_estimators import FilterError, make_filter
from mb_model import apply_model_errors, load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT = 0.005
QUIET = {'sensors': {name: {'sigma': 1e-4} for name in (
    'crank_encoder', 'crank_gyro', 'crank_accelerometers')}}


@pytest.mark.parametrize(('name', 'sensor', 'settings'), [
    ('error_ekf_fe', 'crank_gyro', {}),
    ('kinematic_kf', 'crank_accelerometers', {'force_bandwidth': 1e4})])
def test_a_wrong_gravity_is_found_as_the_force_that_it_makes(name, sensor, settings):
    truth = load_mechanism('four_bar')
    wrong = apply_model_errors(truth, {'gravity': -1.0}).replace(**QUIET)
    run = simulate(truth, 4.0, DT)
    sensors = sensors_of(truth.replace(**QUIET), ['crank_encoder', sensor])
    readings = np.hstack([true_values(truth, s, run.q, run.qd, run.qdd) for s in sensors])
    filter_ = make_filter(name, wrong, sensors, DT, **settings)
    estimated, missing = [], []
    for k in range(1, len(run.t)):
        filter_.predict(DT)
        filter_.correct(readings[k])
        if run.t[k] > 1.0:
            estimated.append(filter_.estimate.forces)
            missing.append(wrong.inverse_dynamics(run.z[k], run.zd[k], run.zdd[k], run.q[k]))
    assert np.ptp(missing) > 10.0
    error = np.subtract(estimated, missing)
    assert np.sqrt(np.mean(error ** 2)) < 0.05 * np.std(missing)


@pytest.mark.parametrize('name', ['error_ekf_fe', 'kinematic_kf'])
def test_known_forces_are_not_estimated_again(name):
    mechanism = load_mechanism('four_bar').replace(**QUIET)
    filter_ = make_filter(name, mechanism, ['crank_encoder', 'crank_gyro'], DT)
    known = mechanism.inverse_dynamics(mechanism.z0, np.zeros(1), np.zeros(1))
    for _ in range(100):
        filter_.predict(DT, known)
        filter_.correct(np.array([mechanism.z0[0], 0.0]))
    assert abs(known[0]) > 10.0
    np.testing.assert_allclose(filter_.estimate.forces, 0.0, atol=1e-3)


def test_a_new_start_forgets_the_force():
    filter_ = make_filter('error_ekf_fe', 'four_bar', ['crank_gyro'], DT)
    filter_.predict(DT)
    filter_.correct([0.5])
    assert filter_.estimate.forces[0] != 0.0
    filter_.reset(filter_.mechanism.z0, filter_.mechanism.zd0)
    np.testing.assert_array_equal(filter_.estimate.forces, 0.0)


def test_uncertain_positions_make_the_accelerations_uncertain():
    mechanism = load_mechanism('five_bar')
    filter_ = make_filter('error_ekf_fe', mechanism, ['crank_encoders'], DT)
    z, zd, P = mechanism.z0 + 0.3, np.array([0.7, -0.4]), np.diag([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    filter_.reset(z, zd, P)
    by_state = np.hstack([*mechanism.linearise(z, zd), np.eye(2)])
    np.testing.assert_allclose(
        filter_.estimate.covariance[4:, 4:], by_state @ P @ by_state.T, rtol=1e-9)


WALKING = filters_with('acceleration_variance_factors')
DELTA, STEP = load_mechanism('delta'), 1e-3


def stepped(name, variance, *factors, mechanism=DELTA):
    """Return the covariance of accelerations (g, g) that a step has added to next to nothing."""
    filter_ = make_filter(name, mechanism, ['encoders'], STEP, initial_variance=1e-20,
                          **own_settings(name, {'initial_acceleration_variance': 1e-20}),
                          **known_parameters(name),
                          acceleration_variance=variance, acceleration_variance_factors=factors)
    filter_.predict(STEP)
    g = mechanism.g
    return filter_.estimate.covariance[2 * g:, 2 * g:]


@pytest.mark.parametrize('name', WALKING)
def test_each_degree_of_freedom_has_its_own_noise(name):
    found = stepped(name, 2.0, 1.0, 0.25, 4.0)
    np.testing.assert_allclose(found, np.diag([2.0, 0.5, 8.0]), atol=2e-3)


@pytest.mark.parametrize('name', WALKING)
def test_ones_are_as_none_at_all_to_the_last_bit(name):
    assert np.array_equal(stepped(name, 0.3, 1.0, 1.0, 1.0), stepped(name, 0.3))


def test_a_wrong_number_of_factors_is_refused():
    with pytest.raises(FilterError, match=r'acceleration_variance_factors: 2 values, expected 3: '
                                          r'of tool\.x, tool\.y, tool\.z'):
        stepped('error_ekf_fe', 1.0, 1.0, 2.0)
