"""dual_ukf_error_ekf_fe on a body that tumbles: the models of its sigma points turn with it."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi2
from test_orientations import place_and_axes
from tumbling import BOX, INERTIA, Tumbling, is_within, two_wheels, two_worlds, wheel_readings

from mb_estimators import make_filter
from mb_model import Mechanism, motion_difference

DT, SIGMA, DEVIATION, NAME = 5e-3, 5e-3, 0.1, 'bodies.box.inertia.1'
SETTINGS = {'gate': 0.0, 'parameters': (NAME,), 'parameter_walks': (0.0,)}
FURTHER = (1e-8,) * 6
# Small: without noise of the plant, what is linearised away at the start stays.
START = np.repeat([0.02, 0.003, 0.1, 0.03], 3)
TWIST = np.array([0.0, 0.0, 0.0, 0.5, -3.0, 0.5])     # N m, in the body's frame


def test_errors_are_as_large_as_the_filter_says():
    """Motion under a known moment, and an inertia that is not known, over 50 runs."""
    filter_ = make_filter('dual_ukf_error_ekf_fe', BOX, place_and_axes(BOX, SIGMA), DT,
                          parameter_deviations=(DEVIATION,), **SETTINGS)
    within, found, low, high = [], [], *chi2.ppf([0.025, 0.975], 1)
    for seed in range(50):
        random, truth = np.random.default_rng(seed), Tumbling()
        number = DEVIATION * random.normal()
        truth.inertia[1] *= np.exp(number)
        truth.begin(filter_, random, FURTHER, START)
        for _ in range(40):
            truth.move(DT, TWIST)
            filter_.predict(DT, TWIST)
            filter_.correct(truth.readings + SIGMA * random.normal(size=9))
            estimate = filter_.estimate
            within.append(is_within(truth.off(estimate), estimate.covariance[:12, :12]))
            value, variance = estimate.parameters[NAME], estimate.parameter_covariance[0, 0]
            off = number - np.log(value / INERTIA[1])
            found.append(low < off ** 2 * value ** 2 / variance < high)
    assert 0.90 <= np.mean(within) <= 0.98
    assert 0.90 <= np.mean(found) <= 0.98
    assert np.sqrt(variance) / value < 0.25 * DEVIATION


def test_shifts_are_what_other_parameters_make_of_the_motion():
    """By central differences of filters with other inertias, which have the same readings."""
    step, sensors = 1e-3, place_and_axes(BOX, SIGMA)
    filter_ = make_filter('dual_ukf_error_ekf_fe', BOX, sensors, DT, parameter_deviations=(step,),
                          **SETTINGS)
    box = BOX.raw['bodies']['box']
    others = [make_filter('error_ekf_fe', Mechanism(BOX.raw | {'bodies': {'box': box | {
        'inertia': [INERTIA[0], INERTIA[1] * np.exp(sign * step), INERTIA[2]]}}}, 'other.yaml'),
        sensors, DT, gate=0.0, acceleration_variance=1e-8) for sign in (1.0, -1.0)]
    truth, random = Tumbling(), np.random.default_rng(1)
    for each in (filter_, *others):
        each.reset(BOX.z0, BOX.zd0, np.diag(np.repeat([1e-4, 1e-8], [12, 6])))
    for _ in range(60):
        truth.move(DT, TWIST)
        readings = truth.readings + SIGMA * random.normal(size=9)
        for each in (filter_, *others):
            each.predict(DT, TWIST)
            each.correct(readings)
    expected = motion_difference(BOX, *((each.estimate.q, each.estimate.qd) for each in others))
    shift = filter_.state['estimated']['shift'][0, :12].copy()
    seen = filter_._orientations.to_bodies(12, filter_.estimate.zd, filter_.estimate.zdd) @ shift
    np.testing.assert_allclose(seen[:, 0], 0.5 * expected, atol=0.03 * np.abs(expected).max())


def test_turning_the_world_changes_nothing():
    """Innovations turn with it, and the inertia that is found is the same."""
    turn, random = Rotation.from_rotvec([0.7, -1.1, 0.4]), np.random.default_rng(2)
    truth, filters = Tumbling(), [
        make_filter('dual_ukf_error_ekf_fe', world, place_and_axes(world, SIGMA), DT,
                    parameter_deviations=(DEVIATION,), **SETTINGS)
        for world in two_worlds(BOX.raw, turn.as_matrix())]
    truth.inertia[1] *= 1.1
    for filter_ in filters:
        filter_.reset(filter_.mechanism.z0, filter_.mechanism.zd0,
                      np.diag(np.repeat([1e-6, 1e-8], [12, 6])))
    for _ in range(60):
        truth.move(DT, TWIST)
        readings = (truth.readings + SIGMA * random.normal(size=9)).reshape(3, 3)
        fits = []
        for filter_, seen in zip(filters, (readings, turn.apply(readings)), strict=True):
            filter_.predict(DT, TWIST)
            fits.append(filter_.correct(seen.ravel()))
        one, other = (fit.residual.reshape(3, 3) for fit in fits)
        np.testing.assert_allclose(turn.apply(one), other, atol=1e-6)
    values = [filter_.estimate.parameters[NAME] for filter_ in filters]
    np.testing.assert_allclose(*values, rtol=1e-6)
    assert abs(values[0] / INERTIA[1] - 1.1) < abs(values[0] / INERTIA[1] - 1.0)


def test_a_body_that_turns_about_one_axis_is_a_wheel():
    """The linear case: on a ball joint as on a hinge, with a known moment and its inertia unknown.
    """
    filters = [make_filter('dual_ukf_error_ekf_fe', mechanism, ['gyroscope', 'compass'], DT,
                           **(SETTINGS | {'parameters': ('bodies.box.inertia.2',)}))
               for mechanism in two_wheels({})]
    pushes = 2.0 * np.sin(6.0 * DT * np.arange(300))
    for push, readings in zip(pushes, wheel_readings(
            pushes / (1.1 * INERTIA[2]), DT, np.random.default_rng(1)), strict=True):
        for filter_ in filters:
            filter_.predict(DT, push * np.eye(filter_.mechanism.g)[-1])
            filter_.correct(readings)
    wheel, ball = (filter_.estimate for filter_ in filters)
    assert ball.zd[2] == pytest.approx(wheel.zd[0], abs=1e-3)
    (one,), (other,) = (each.parameters.values() for each in (wheel, ball))
    assert other == pytest.approx(one, rel=1e-3)
    assert one == pytest.approx(1.1 * INERTIA[2], rel=0.05)
    np.testing.assert_allclose(ball.parameter_covariance, wheel.parameter_covariance, rtol=1e-2)
