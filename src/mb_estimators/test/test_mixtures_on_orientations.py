"""Filters side by side on bodies that turn freely: means of orientations, and covariances there."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test_orientations import place_and_axes
from tumbling import (
    BOX,
    START,
    Tumbling,
    is_within,
    two_wheels,
    two_worlds,
    wheel_readings,
)

from mb_estimators import DivergenceError, make_filter
from mb_estimators.filters.mixture import inverse_right_jacobian, mean_turns
from mb_model import Mechanism

DT, SIGMA, PSD, DWELL, TWIST = 5e-3, 5e-3, 0.05, 0.3, np.array([0.0, 1.0, -1.5])
PUSH = {'push': {'kind': 'wrench', 'body': 'box', 'moment': [0.0, 0.0, 0.0], 'axes': 'body'}}
PUSHED = Mechanism(BOX.raw | {'forces': PUSH}, 'pushed.yaml')
MODES = {'parameters': ('forces.push.moment.y', 'forces.push.moment.z'),
         'modes': (0.0, 0.0, *TWIST[1:]), 'dwell_time': DWELL}


def switched(mode, random, dt):
    """Return a mode after a time in which it may have changed, as interacting_models has it."""
    return mode ^ (random.random() < 0.5 - 0.5 * np.exp(-2.0 * dt / DWELL))


@pytest.mark.whole
def test_errors_are_as_large_as_the_filter_says():
    """A body with a moment that comes and goes, over 50 runs."""
    within, right = [], []
    filter_ = make_filter('interacting_models', PUSHED, place_and_axes(PUSHED, SIGMA), DT, gate=0.0,
                          acceleration_psd=PSD, **MODES)
    for seed in range(50):
        random, truth = np.random.default_rng(seed), Tumbling()
        truth.begin(filter_, random)
        mode = random.random() < 0.5
        for k in range(40):
            mode = switched(mode, random, DT)
            truth.move(DT, [0.0, 0.0, 0.0, *mode * TWIST], (random, PSD))
            filter_.predict(DT)
            filter_.correct(truth.readings + SIGMA * random.normal(size=9))
            estimate = filter_.estimate
            within.append(is_within(truth.off(estimate), estimate.covariance))
            if k >= 20:
                right.append(filter_.probabilities[int(mode)])
    assert 0.90 <= np.mean(within) <= 0.98
    assert np.mean(right) > 0.6


def two_hypotheses(turns, deviation):
    """Return interacting_models whose two filters are at START, turned on by rotation vectors."""
    filter_ = make_filter('interacting_models', PUSHED, place_and_axes(PUSHED, SIGMA), DT, **MODES)
    for one, turn, w in zip(filter_._bank, turns, ([0.2, 5.0, 0.1], [1.0, 4.0, -2.0]), strict=True):
        axes = Rotation.from_rotvec(turn).as_matrix()
        rates = (np.trace(axes) * np.eye(3) - axes.T) / 2.0
        sine = np.array([axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0],
                         axes[1, 0] - axes[0, 1]]) / 2.0
        one.reset(np.concatenate([PUSHED.z0[:3], PUSHED.z0[3:] + sine]),
                  np.concatenate([[0.3, 0.0, 0.0], rates @ w]), deviation ** 2 * np.diag(
                      [1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 1.0, 40.0, 10.0, 20.0]))
    return filter_


def test_the_mixture_has_the_moments_of_random_rotations():
    """Orientations and angular velocities drawn from both filters, seen from their mean."""
    chances, turns = np.array([0.35, 0.65]), np.array([[0.1, -0.2, 0.3], [0.4, 0.5, -0.2]])
    filter_ = two_hypotheses(turns, 0.03)
    bank, random, count = filter_._bank, np.random.default_rng(1), 200_000
    estimates = [one.estimate for one in bank]
    mean = filter_.mixture.of(chances, bank)
    assert filter_.move_to(mean)
    estimate, drawn, seen = filter_.estimate, [], []
    for chance, one, turn in zip(chances, estimates, turns, strict=True):
        errors = random.multivariate_normal(np.zeros(12), one.covariance, round(chance * count))
        drawn.append(START * Rotation.from_rotvec(turn) * Rotation.from_rotvec(errors[:, 3:6]))
        seen.append(np.hstack([one.z[:3] + errors[:, :3], errors[:, 3:6], one.zd + errors[:, 6:]]))
    drawn, seen = Rotation.concatenate(drawn), np.vstack(seen)
    axes = PUSHED.body_motion('box', estimate.q, estimate.qd).rotation
    away = (drawn.mean().inv() * Rotation.from_matrix(axes)).as_rotvec()
    assert np.abs(away).max() < 2e-2            # the mean of matrices is another one by third order
    seen[:, 3:6] = (Rotation.from_matrix(axes).inv() * drawn).as_rotvec()
    np.testing.assert_allclose(seen.mean(axis=0)[3:6], 0.0, atol=2e-3)
    np.testing.assert_allclose(seen.mean(axis=0)[6:], estimate.zd, atol=2e-3)
    sample, deviation = np.cov(seen.T), np.sqrt(np.diag(estimate.covariance))
    np.testing.assert_allclose(estimate.covariance / np.outer(deviation, deviation),
                               sample / np.outer(deviation, deviation), atol=1e-2)


def test_one_hypothesis_that_is_certain_is_the_mixture():
    """Also its covariance, carried to its own frame: as before."""
    filter_ = two_hypotheses([[0.1, -0.2, 0.3], [0.9, -0.8, 0.4]], 0.1)
    one = filter_._bank[0]
    mean = filter_.mixture.of(np.array([1.0, 0.0]), filter_._bank)
    np.testing.assert_allclose(mean.turns, one.turns(), atol=1e-12)
    np.testing.assert_allclose(mean.covariance, one.state_covariance, atol=1e-12)
    np.testing.assert_allclose(mean.x, one.vector, atol=1e-12)


def test_a_mean_a_quarter_turn_away_is_an_error():
    filter_ = two_hypotheses([[0.0, 0.0, 0.0], [0.9, -0.9, 0.4]], 0.1)
    filter_._bank[0].move_to(filter_.mixture.of(np.array([1.0, 0.0]), filter_._bank))
    for _ in range(5):
        mean = filter_.mixture.of(np.array([0.0, 1.0]), filter_._bank)
        turn = Rotation.from_matrix(filter_._bank[0].turns()[0].T @ mean.turns[0]).magnitude()
        if turn > 0.5 * np.pi:
            break
        two = filter_._bank[1]
        x = mean._replace(turns=mean.turns @ Rotation.from_rotvec([0.2, -0.2, 0.1]).as_matrix())
        assert two.move_to(x)
    with pytest.raises(DivergenceError, match='a hypothesis is a quarter turn from the mean'):
        filter_._bank[0].move_to(mean)


def test_means_of_turns_about_one_axis_are_those_of_angles():
    axis, chances = np.array([0.6, 0.0, 0.8]), np.array([0.2, 0.5, 0.3])
    angles = np.array([-1.0, 0.3, 1.2])
    turns = np.array([[(START * Rotation.from_rotvec(angle * axis)).as_matrix()]
                      for angle in angles])
    centre, apart = mean_turns(chances, turns)
    expected = (START * Rotation.from_rotvec(chances @ angles * axis)).as_matrix()
    np.testing.assert_allclose(centre[0], expected, atol=1e-12)
    np.testing.assert_allclose(apart[:, 0], np.outer(angles - chances @ angles, axis), atol=1e-12)


@pytest.mark.parametrize('size', [0.0, 1e-5, 1e-3, 0.4, 1.5, 3.0])
def test_the_inverse_right_jacobian_is_the_central_difference(size):
    vector, step = size * np.array([0.6, -0.48, 0.64]), 1e-5
    turn = Rotation.from_rotvec(vector)
    columns = [[(turn * Rotation.from_rotvec(sign * step * axis)).as_rotvec()
                for sign in (1.0, -1.0)] for axis in np.eye(3)]
    expected = np.array([(up - down) / (2.0 * step) for up, down in columns]).T
    np.testing.assert_allclose(inverse_right_jacobian(vector), expected, atol=1e-7)


def test_turning_the_world_turns_the_mixture():
    """The same file, turned, with readings of the same places; hypotheses differ."""
    turn, random = Rotation.from_rotvec([0.7, -1.1, 0.4]), np.random.default_rng(2)
    truth, filters = Tumbling(), [
        make_filter('interacting_models', world, place_and_axes(world), DT, gate=0.0,
                    acceleration_psd=PSD, **MODES)
        for world in two_worlds(PUSHED.raw, turn.as_matrix())]
    angular = np.ix_([3, 4, 5, 9, 10, 11], [3, 4, 5, 9, 10, 11])
    for k in range(40):
        truth.move(DT, [0.0, 0.0, 0.0, *(k // 20) * TWIST])
        readings = (truth.readings + SIGMA * random.normal(size=9)).reshape(3, 3)
        for filter_, seen in zip(filters, (readings, turn.apply(readings)), strict=True):
            filter_.predict(DT)
            filter_.correct(seen.ravel())
        one, other = (filter_.estimate for filter_ in filters)
        np.testing.assert_allclose(one.hypothesis_probabilities, other.hypothesis_probabilities,
                                   atol=1e-6)
        np.testing.assert_allclose(one.zd[3:], other.zd[3:], atol=1e-7)
        np.testing.assert_allclose(turn.apply(one.z[:3]), other.z[:3], atol=1e-7)
        np.testing.assert_allclose(one.covariance[angular], other.covariance[angular], rtol=1e-4,
                                   atol=1e-9)


def test_a_body_that_turns_about_one_axis_is_a_wheel():
    """The linear case: on a ball joint as on a hinge, which the filter of textbooks follows.

    Slowly: transitions of error_ekf_ej are a series, which leaves out (omega h)^2 / 2, and errors
    of rates in a correction are of the sine of an angle.
    """
    filters = [make_filter(
        'interacting_models', mechanism, ['gyroscope', 'compass'], DT, acceleration_psd=1e-3,
        parameters=('forces.push.moment.z',), modes=(0.0, 0.3), dwell_time=DWELL, gate=0.0)
        for mechanism in two_wheels(PUSH)]
    pushed = np.where(np.arange(300) < 140, 0.0, 1.0)
    for readings in wheel_readings(pushed, DT, np.random.default_rng(1)):
        for filter_ in filters:
            filter_.predict(DT)
            filter_.correct(readings)
        wheel, ball = (filter_.estimate for filter_ in filters)
        np.testing.assert_allclose(wheel.hypothesis_probabilities, ball.hypothesis_probabilities,
                                   atol=1e-3)
        assert ball.zd[2] == pytest.approx(wheel.zd[0], abs=1e-3)
        deviations = np.sqrt(np.diag(wheel.covariance))
        unit = np.outer(deviations, deviations)
        np.testing.assert_allclose(ball.covariance[2::3, 2::3] / unit, wheel.covariance / unit,
                                   atol=1e-2)
    found = filters[1].mechanism.body_motion('box', ball.q, ball.qd).rotation
    np.testing.assert_allclose(found, Rotation.from_rotvec([0.0, 0.0, wheel.z[0]]).as_matrix(),
                               atol=1e-3)
    assert wheel.hypothesis_probabilities[1] > 0.8
