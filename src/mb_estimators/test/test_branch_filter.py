"""branch_filter on linkages whose branches are intersections of circles."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal

from mb_estimators import DivergenceError, make_filter
from mb_estimators.filters.branch_filter import branches
from mb_model import load_mechanism, simulate
from mb_model.space_api import body_poses
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT = 0.005
SENSORS = ['crank_encoder', 'coupler_gyro']
FOUR_BAR = load_mechanism('four_bar')
CROSSED = FOUR_BAR.replace(points={'P2': {'start': [6.8, -3.8]}})


def intersections(a, b, ra, rb):
    """Return both points at distances ra, rb from a, b."""
    along, d = (b - a) / np.linalg.norm(b - a), np.linalg.norm(b - a)
    x = (d * d + ra * ra - rb * rb) / (2.0 * d)
    across = np.sqrt(ra * ra - x * x) * np.array([-along[1], along[0]])
    return a + x * along + across, a + x * along - across


def test_branches_are_all_that_close():
    crank = 2.0 * np.array([np.cos(np.pi / 3), np.sin(np.pi / 3)])
    expected = intersections(crank, np.array([10.0, 0.0]), 8.0, 5.0)
    for mechanism, signs in ((FOUR_BAR, (1, -1)), (CROSSED, (-1, 1))):
        found = branches(mechanism, 200, 8)
        assert len(found) == 2
        for q, sign in zip(found, signs, strict=True):
            assert np.sign(q[3]) == sign
            np.testing.assert_allclose(q[2:4], next(p for p in expected if p[1] * sign > 0.0),
                                       atol=1e-9)
            np.testing.assert_allclose(q[[0, 1, 4]], [*crank, np.pi / 3], atol=1e-9)
    assert len(branches(load_mechanism('five_bar'), 200, 8)) == 2
    assert len(branches(load_mechanism('four_bar_spring_damper'), 200, 8)) == 2
    assert len(branches(FOUR_BAR, 200, 1)) == 1
    in_space = branches(load_mechanism('spatial_four_bar'), 50, 8)
    assert [np.sign(body_poses(load_mechanism('spatial_four_bar'), q)['rocker'][0][0, 1])
            for q in in_space] == [1, -1]


def readings_of(mechanism, count, seed):
    run = simulate(mechanism, count * DT, DT)
    sensors = sensors_of(mechanism, SENSORS)
    truth = np.hstack([true_values(mechanism, sensor, run.q, run.qd, run.qdd)
                       for sensor in sensors])
    noise = np.random.default_rng(seed).normal(size=truth.shape)
    return run, truth + noise * [sensor.settings.sigma for sensor in sensors]


@pytest.mark.parametrize('assembled', [FOUR_BAR, CROSSED], ids=['open', 'crossed'])
def test_probabilities_are_those_of_filters_that_know_the_branch(assembled):
    """By Bayes's rule from the densities of their innovations; the mean is the mean of both."""
    run, readings = readings_of(assembled, 60, 3)
    filter_ = make_filter('branch_filter', FOUR_BAR, SENSORS, DT)
    knowing = [make_filter('error_ekf_ej', one, SENSORS, DT) for one in (FOUR_BAR, CROSSED)]
    scores = np.zeros(2)
    for reading in readings[1:12]:
        filter_.predict(DT)
        filter_.correct(reading)
        for i, one in enumerate(knowing):
            one.predict(DT)
            fit = one.correct(reading)
            scores[i] += multivariate_normal.logpdf(fit.residual, cov=fit.covariance)
        chances = softmax(scores)
        np.testing.assert_allclose(filter_.probabilities, chances, atol=1e-7)
        z = [one.estimate.z[0] for one in knowing]
        mean = chances @ z
        P = [one.estimate.covariance[0, 0] for one in knowing]
        assert filter_.estimate.z[0] == pytest.approx(mean, abs=1e-9)
        assert filter_.estimate.covariance[0, 0] == pytest.approx(
            chances @ (P + (z - mean) ** 2), rel=1e-6)
    for reading in readings[12:]:
        filter_.predict(DT)
        filter_.correct(reading)
    assert filter_.probabilities[1 if assembled is CROSSED else 0] > 0.999
    np.testing.assert_allclose(filter_.estimate.q, run.q[-1], atol=0.02)


def test_a_branch_on_which_the_model_fails_is_refuted(monkeypatch):
    _, readings = readings_of(FOUR_BAR, 12, 5)
    filter_ = make_filter('branch_filter', FOUR_BAR, SENSORS, DT)
    plain = make_filter('error_ekf_ej', FOUR_BAR, SENSORS, DT)

    def fail(*_):
        raise DivergenceError('no position')

    monkeypatch.setattr(filter_._bank[1], 'predict', fail)
    for reading in readings[1:]:
        for each in (filter_, plain):
            each.predict(DT)
            each.correct(reading)
        np.testing.assert_array_equal(filter_.probabilities, [1.0, 0.0])
        np.testing.assert_allclose(filter_.estimate.q, plain.estimate.q, atol=1e-9)
    monkeypatch.setattr(filter_._bank[0], 'predict', fail)
    with pytest.raises(DivergenceError, match='no position'):
        filter_.predict(DT)
    filter_.reset(FOUR_BAR.z0, FOUR_BAR.zd0)
    np.testing.assert_array_equal(filter_.probabilities, [0.5, 0.5])


def test_it_finds_a_branch_in_space():
    """As the filter of the same linkage in the plane does."""
    _, readings = readings_of(CROSSED, 12, 3)
    filters = [make_filter('branch_filter', name, SENSORS, DT, tries=50)
               for name in ('four_bar', 'spatial_four_bar')]
    for reading in readings[1:]:
        for one in filters:
            one.predict(DT)
            one.correct(reading)
        np.testing.assert_allclose(filters[1].probabilities, filters[0].probabilities, atol=1e-8)
