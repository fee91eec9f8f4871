"""h_infinity: its bound against the largest singular value of what all noises do to the errors."""

from free_motion import SLED
import numpy as np
import pytest

from mb_estimators import make_filter

DT, STEPS, VARIANCE, SIGMA = 0.005, 40, 0.01, 0.02
NOISE = 400.0            # m^2/s^3: the steady state comes within a few steps
F = np.array([[1.0, DT], [0.0, 1.0]])
ROOT_Q = np.linalg.cholesky(NOISE * np.array([[DT ** 3 / 3.0, DT ** 2 / 2.0], [DT ** 2 / 2.0, DT]]))
START = np.array([0.3, 2.0])


def make(gamma, **settings):
    return make_filter('h_infinity', SLED, ['encoder'], DT, acceleration_psd=NOISE, gamma=gamma,
                       initial_variance=VARIANCE, gate=0.0, **settings)


def errors(filter_, start, plant, sensor):
    """Return the errors of z, zd after corrections; noises in their standard deviations."""
    filter_.reset(START[:1], START[1:])
    x, found = START + np.sqrt(VARIANCE) * start, []
    for w, v in zip(plant, sensor, strict=True):
        x = F @ x + ROOT_Q @ w
        filter_.predict(DT)
        filter_.correct(x[:1] + SIGMA * v)
        estimate = filter_.estimate
        found.append([estimate.z[0] - x[0], estimate.zd[0] - x[1]])
    return np.array(found)


def largest_gain(filter_, velocity_time):
    """Return the largest singular value of the map from all noises to all weighted errors.

    The errors are linear in the noises: one run for each.
    """
    columns = []
    for unit in np.eye(2 + 3 * STEPS):
        found = errors(filter_, unit[:2], unit[2:2 + 2 * STEPS].reshape(-1, 2),
                       unit[2 + 2 * STEPS:])
        columns.append((found * [1.0, velocity_time]).ravel())
    return np.linalg.norm(np.array(columns), 2)


@pytest.mark.parametrize(('velocity_time', 'share'), [(0.0, 0.85), (0.02, 0.85)])
def test_no_noise_does_more_than_the_bound(velocity_time, share):
    """The worst of the Kalman filter does."""
    kalman = largest_gain(make(1e9), velocity_time)
    filter_ = make(share * kalman, velocity_time=velocity_time, margin=0.99)
    gain = largest_gain(filter_, velocity_time)
    assert filter_.gamma == share * kalman
    assert 0.9 * filter_.gamma < gain <= filter_.gamma


def test_a_bound_that_no_filter_has_is_reported_as_what_it_is():
    filter_ = make(1e-4)
    assert filter_.gamma == 1e-4
    gain = largest_gain(filter_, 0.0)
    assert 1e-3 < gain <= filter_.gamma
    filter_.reset(START[:1], START[1:])
    assert filter_.gamma == 1e-4


def test_the_guard_is_that_of_the_equations():
    """P = F (P^-1 - theta W^2)^-1 F^T + Q, with whole matrices, of the corrected P alone."""
    gamma, time = 0.3, 0.05
    filter_ = make(gamma, velocity_time=time)
    filter_.predict(DT)
    filter_.predict(DT)                                       # nothing was read: no guard
    plain = np.linalg.matrix_power(F, 2)
    expected = plain @ (VARIANCE * np.eye(2)) @ plain.T + F @ ROOT_Q @ ROOT_Q.T @ F.T
    expected += ROOT_Q @ ROOT_Q.T
    np.testing.assert_allclose(filter_.estimate.covariance, expected, rtol=1e-12)
    filter_.correct([0.32])
    P = filter_.estimate.covariance
    filter_.predict(DT)
    guarded = np.linalg.inv(np.linalg.inv(P) - np.diag([1.0, time ** 2]) / gamma ** 2)
    np.testing.assert_allclose(filter_.estimate.covariance, F @ guarded @ F.T + ROOT_Q @ ROOT_Q.T,
                               rtol=1e-10)
