"""Estimated forces explained by forces at likely places, of a linkage in plain numpy."""

import numpy as np
from plain_linkage import FIVE_BAR
import pytest
from scipy import stats
from test_adekf import DT, PUSH, contact

from mb_estimators import explain_forces, make_filter
from mb_model import Mechanism, load_mechanism
from mb_sensors import sensors_of

FIVE = load_mechanism('five_bar').replace(
    forces={'push': PUSH['push'] | {'body': 'left_coupler'},
            'turn': {'kind': 'load', 'body': 'left_crank', 'moment': 0.0}})
X, Y, TURN = 'forces.push.force.x', 'forces.push.force.y', 'forces.turn.moment'
RANDOM = np.random.default_rng(8)
SHAPE = RANDOM.normal(size=(2, 2))
COVARIANCE = SHAPE @ SHAPE.T + 0.1 * np.eye(2)
Z, ZD = FIVE.z0 + np.array([0.4, -0.2]), np.array([0.7, -1.1])


def on_z(force):
    """Return what a force on the joint of the links does, by plain numpy."""
    return FIVE_BAR.joints(Z)[1][1].T @ force


def test_as_many_sources_as_degrees_of_freedom_explain_all():
    force = np.array([3.0, -5.0])
    found = explain_forces(FIVE, Z, ZD, on_z(force), COVARIANCE, [X, Y])
    np.testing.assert_allclose(found.values, force, rtol=1e-6)
    np.testing.assert_allclose(found.residual, 0.0, atol=1e-8)
    effects = np.array([on_z(axis) for axis in np.eye(2)]).T
    back = np.linalg.inv(effects)
    np.testing.assert_allclose(found.covariance, back @ COVARIANCE @ back.T, rtol=1e-6)
    assert found.probability == 1.0


def test_a_moment_on_a_crank_is_a_force_on_its_angle():
    for name in (TURN, 'theta1'):
        found = explain_forces(FIVE, Z, ZD, [4.0, 0.0], COVARIANCE, [name])
        np.testing.assert_allclose(found.values, 4.0, rtol=1e-9)
        assert found.probability == pytest.approx(1.0)


def test_intervals_and_probabilities_are_what_they_say():
    """Of 2000 noisy forces by one source, and of such that something else has made, too."""
    noise = RANDOM.multivariate_normal(np.zeros(2), COVARIANCE, 2000)
    effects = on_z(np.array([0.0, 1.0]))
    found = [explain_forces(FIVE, Z, ZD, 7.0 * effects + error, COVARIANCE, [Y]) for error in noise]
    off = np.array([(f.values[0] - 7.0) / np.sqrt(f.covariance[0, 0]) for f in found])
    assert stats.kstest(off, 'norm').pvalue > 1e-3
    assert stats.kstest([f.probability for f in found], 'uniform').pvalue > 1e-3
    other = explain_forces(FIVE, Z, ZD, on_z(np.array([60.0, 0.0])), COVARIANCE, [Y])
    assert other.probability < 1e-6


def test_what_cannot_be_distinguished_has_no_interval():
    found = explain_forces(FIVE, Z, ZD, [4.0, 0.0], COVARIANCE, [TURN, 'theta1', 'theta2'])
    assert np.isinf(found.covariance.diagonal()).tolist() == [True, True, False]
    assert found.covariance[2, 2] == pytest.approx(COVARIANCE[1, 1])
    assert found.values[:2].sum() == pytest.approx(4.0)


@pytest.mark.whole
def test_the_filter_says_which_forces_explain_its_own_and_whether():
    """The joint of the links touches something; a moment on the left crank does not explain it.

    Where the joint hardly moves one way, a force that way is not known: the median error is judged.
    """
    _, *motion, true = contact(FIVE_BAR, 'five_bar')
    sensors = sensors_of(FIVE, ['crank_encoders', 'crank_gyros'])
    sigmas = np.array([s.settings.sigma for s in sensors])
    readings = np.hstack([motion[0], motion[1]])
    readings = readings + np.random.default_rng(1).standard_normal(readings.shape) * sigmas
    right, wrong = ([], []), ([], [])
    for sources, (values, probabilities) in (((X, Y), right), ((TURN,), wrong)):
        filter_ = make_filter('error_ekf_fe', FIVE, sensors, DT, initial_variance=1e-4,
                              acceleration_variance=1.0, force_sources=sources)
        for reading in readings[1:]:
            filter_.predict(DT)
            filter_.correct(reading)
            estimate = filter_.estimate
            values.append([list(estimate.parameters.values()),
                           list(estimate.parameter_deviations.values())])
            probabilities.append(estimate.force_probability)
    found, deviations = np.swapaxes(right[0], 0, 1)
    error = np.abs(found - true[1:])
    np.testing.assert_array_less(np.median(error, axis=0), 0.05 * np.std(true, axis=0))
    assert (error < 1.96 * deviations)[100:].mean() > 0.9
    assert min(right[1]) == 1.0
    touched = true[1:, 1] > 60.0
    assert touched.sum() > 20
    assert np.median(np.array(wrong[1])[touched]) < 1e-6


def test_sources_in_space():
    """A push on the block of a slideway along (0.6, 0, 0.8), in its own direction and across."""
    raw = {'name': 'sled', 'dimension': 3,
           'bodies': {'block': {'mass': 4.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                                'inertia': [0.1, 0.2, 0.25]}},
           'joints': {'guide': {'kind': 'prismatic', 'bodies': ['ground', 'block'],
                                'at': [[0.2, 0.1, 0.0], [0.0, 0.0, 0.0]],
                                'axis': [0.6, 0.0, 0.8]}},
           'coordinates': {'s': {'kind': 'slider', 'joint': 'guide'}}, 'independent': ['s'],
           'forces': {'push': {'kind': 'wrench', 'body': 'block', 'at': [0.3, 0.2, 0.1],
                               'force': [0.0, 0.0, 0.0]}}}
    sled = Mechanism(raw, 'sled.yaml')
    found = explain_forces(sled, [0.1], [0.0], [12.0], [[0.04]], ['forces.push.force.x'])
    np.testing.assert_allclose(found.values, 12.0 / 0.6)
    np.testing.assert_allclose(np.sqrt(found.covariance), 0.2 / 0.6)
    across = explain_forces(sled, [0.1], [0.0], [12.0], [[0.04]], ['forces.push.force.y'])
    assert across.probability < 1e-6
    assert np.isinf(across.covariance[0, 0])


def test_what_is_no_source_is_refused():
    with pytest.raises(ValueError, match=r'force_sources: gravity\.y: expected a number of a'):
        make_filter('error_ekf_fe', FIVE, ['crank_encoders'], DT, force_sources=('gravity.y',))
