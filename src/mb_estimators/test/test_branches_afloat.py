"""branch_filter on a linkage that floats freely: an orientation among its degrees of freedom."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal
from spatial_machines import floating_linkage
from test_orientations import shaken
from tumbling import is_within

from mb_estimators import make_filter
from mb_model import branches_in_space, motion_difference
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT, PSD, SENSORS = 5e-3, 0.02, ['crank_encoder', 'coupler_gyro', 'place', 'compass']
OPEN = floating_linkage()
CROSSED = floating_linkage(near=(OPEN, branches_in_space(OPEN, 50)[1]))
SETTINGS = {'gate': 0.0, 'acceleration_psd': PSD, 'initial_variance': 1e-4}
DEVIATIONS = np.array([sensor.settings.sigma for sensor in sensors_of(OPEN, SENSORS)
                       for _ in sensor.channels])


def ideal(mechanism, stepper):
    """Return what the sensors read without noise."""
    motion = [values[None] for values in (stepper.q, stepper.qd, stepper.qdd)]
    return np.hstack([true_values(mechanism, sensor, *motion)[0]
                      for sensor in sensors_of(mechanism, SENSORS)])


def follow(filter_, mechanism, seed, count):
    """Yield steppers of the truth, each after the filter has taken its readings in."""
    random = np.random.default_rng(seed + 1000)
    for truth in shaken(mechanism, PSD, DT, count, seed):
        filter_.predict(DT)
        filter_.correct(ideal(mechanism, truth) + DEVIATIONS * random.normal(size=len(DEVIATIONS)))
        yield truth


@pytest.mark.parametrize('assembled', [OPEN, CROSSED], ids=['open', 'crossed'])
def test_probabilities_are_as_of_filters_that_know_the_branch(assembled):
    """By Bayes's rule from the densities of their innovations."""
    filter_ = make_filter('branch_filter', OPEN, SENSORS, DT, tries=50, **SETTINGS)
    knowing = [make_filter('error_ekf_ej', one, SENSORS, DT, **SETTINGS)
               for one in (OPEN, CROSSED)]
    random, scores = np.random.default_rng(3), np.zeros(2)
    for k, truth in enumerate(shaken(assembled, PSD, DT, 30, 3)):
        reading = ideal(assembled, truth) + DEVIATIONS * random.normal(size=len(DEVIATIONS))
        filter_.predict(DT)
        filter_.correct(reading)
        for i, one in enumerate(knowing):
            one.predict(DT)
            fit = one.correct(reading)
            scores[i] += multivariate_normal.logpdf(fit.residual, cov=fit.covariance)
        if k < 8:
            np.testing.assert_allclose(filter_.probabilities, softmax(scores), atol=1e-6)
    right = 1 if assembled is CROSSED else 0
    assert filter_.probabilities[right] > 0.999
    off = motion_difference(OPEN, *((each.estimate.q, each.estimate.qd)
                                    for each in (filter_, knowing[right])))
    np.testing.assert_allclose(off, 0.0, atol=1e-4)


def test_errors_are_as_large_as_the_filter_says():
    """Over 50 runs, each assembled in one of the two ways, which the filter does not know."""
    within, right = [], []
    filter_ = make_filter('branch_filter', OPEN, SENSORS, DT, tries=50, **SETTINGS)
    for seed in range(50):
        mechanism = (OPEN, CROSSED)[seed % 2]
        random = np.random.default_rng(seed)
        error = 0.01 * random.normal(size=14)
        filter_.reset(OPEN.z0 - error[:7], OPEN.zd0 - error[7:])
        for truth in follow(filter_, mechanism, seed, 20):
            estimate = filter_.estimate
            off = motion_difference(OPEN, (truth.q, truth.qd), (estimate.q, estimate.qd))
            within.append(is_within(off, estimate.covariance))
        right.append(filter_.probabilities[seed % 2])
    assert 0.90 <= np.mean(within) <= 0.98
    assert np.mean(right) > 0.99


def test_turning_the_world_changes_nothing():
    """The linkage, turned with its world, with readings of places that are turned, too."""
    turn = np.array([0.7, -1.1, 0.4])
    worlds, fits = [OPEN, floating_linkage(turn)], []
    for world in worlds:
        filter_ = make_filter('branch_filter', world, SENSORS, DT, tries=50, **SETTINGS)
        for truth in shaken(world, 1e-12, DT, 10, 1):
            filter_.predict(DT)
            fit = filter_.correct(ideal(world, truth))
            fits.append([*filter_.probabilities, fit.nis])
    np.testing.assert_allclose(fits[:10], fits[10:], rtol=1e-3, atol=1e-7)


def test_it_may_start_elsewhere_than_the_file():
    """Places and orientation of the start are taken over by all branches."""
    filter_ = make_filter('branch_filter', OPEN, SENSORS, DT, tries=50, **SETTINGS)
    z, zd = OPEN.z0 + np.array([0.1, 0.2, 0.3, 0.3, -0.4, 0.2, 0.1]), OPEN.zd0 + 0.1
    covariance = np.diag(np.linspace(1.0, 2.0, 14)) * 1e-4
    filter_.reset(z, zd, covariance)
    for one, mechanism in zip(filter_._bank, (OPEN, CROSSED), strict=True):
        q = mechanism.assemble(z)
        estimate = one.estimate
        np.testing.assert_allclose(motion_difference(
            OPEN, (q, mechanism.velocity(q, zd)), (estimate.q, estimate.qd)), 0.0, atol=1e-9)
        np.testing.assert_allclose(estimate.covariance, covariance, atol=1e-12)
