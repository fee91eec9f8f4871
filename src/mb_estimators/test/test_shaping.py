"""Coloured noises are states, and how long they last is found, in combinations too."""

from dataclasses import dataclass

from free_motion import SLED
import numpy as np
import pytest
from scipy import stats

from mb_estimators import make_filter
from mb_estimators.filter import FilterError
from mb_estimators.kernel_api import (
    AdaptationSettings,
    ColouredNoise,
    ColouredNoiseSettings,
    ExactTransition,
    ForceFilter,
    ForceSettings,
    ModelFilterSettings,
    NoiseAdaptation,
)
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_sensors import sensors_of

DT = 0.005
NAME = 'shaping_error_ekf_fe'
VARIANCE = 2e-3                           # of what a step adds to the noise of the acceleration
FELT = SLED.replace(sensors={'feeler': {
    'kind': 'accelerometer', 'body': 'block', 'at': 'B', 'axes': ['x'], 'sigma': 0.05}})


@pytest.mark.parametrize('initial', [0.0, 1e-3])
def test_coloured_noises_are_states_of_the_kalman_filter(initial):
    """Plain matrices: z, zd, zdd, the noise of one of two sensors behind the plant's."""
    plant, sensor, share = np.exp(-DT / 0.05), np.exp(-DT / 0.2), 0.9
    filter_ = make_filter(
        NAME, SLED, list(SLED.sensors), DT, acceleration_variance=VARIANCE, window=0,
        initial_variance=0.04, initial_noise_variance=initial, correlation_time=0.05,
        coloured_sensors=['other'], sensor_correlation_time=0.2, coloured_share=share)
    x, stationary = np.array([0.3, 2.0, 0.0, 0.0, 0.0]), np.array(
        [VARIANCE / (1.0 - plant ** 2), share * 0.05 ** 2])
    P = np.diag([0.04, 0.04, 0.04, initial or stationary[0], stationary[1]])
    H = np.array([[1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0]])
    R = np.diag([0.02 ** 2, (1.0 - share) * 0.05 ** 2])
    random = np.random.default_rng(11)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        kept = np.array([plant, sensor]) ** (h / DT)
        F = np.diag([1.0, 1.0, 1.0, *kept])
        F[0, 1], F[0, 2], F[1, 2], F[2, 3] = h, h * h / 2.0, h, h / DT
        x, P = F @ x, F @ P @ F.T + np.diag([0.0, 0.0, 0.0, *stationary * (1.0 - kept ** 2)])
        filter_.predict(h)
        np.testing.assert_allclose(filter_.estimate.zdd, x[2], atol=1e-9)
        reading = H @ x + random.normal(size=2) * 0.05
        there = random.random(2) > 0.3
        fit = filter_.correct(np.where(there, reading, np.nan))
        S = H[there] @ P @ H[there].T + R[there][:, there]
        K = P @ H[there].T @ np.linalg.inv(S)
        np.testing.assert_allclose(fit.residual, (reading - H @ x)[there], atol=1e-10)
        np.testing.assert_allclose(fit.covariance, S, atol=1e-12)
        x, P = x + K @ (reading - H @ x)[there], (np.eye(5) - K @ H[there]) @ P
    np.testing.assert_allclose(filter_.state_covariance, P, atol=1e-11)
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0], estimate.zdd[0]], x[:3], atol=1e-9)
    np.testing.assert_allclose(estimate.covariance, P[:3, :3], atol=1e-11)


def felt_motion(seed, weight, count):
    """Acceleration (count) of a sled that Gauss-Markov noise disturbs, and readings (count, 1)."""
    random = np.random.default_rng(seed)
    noise, zdd, truth = 0.0, 0.0, []
    for _ in range(count):
        zdd += noise
        noise = weight * noise + random.normal(scale=np.sqrt(VARIANCE))
        truth.append(zdd)
    truth = np.array(truth)
    return truth, (truth + random.normal(scale=0.05, size=count))[:, None]


def run(filter_, readings):
    """Return innovations, of unit variance if the filter is consistent, and W after each."""
    found = []
    for reading in readings:
        filter_.predict(DT)
        fit = filter_.correct(reading)
        weight = getattr(filter_, 'weights', [0.0])[0]
        found.append([fit.residual[0] / np.sqrt(fit.covariance[0, 0]), weight])
    return np.array(found).T


def whiteness(values, lags=20):
    """Return the p-value of the test of Ljung and Box 1978 for white noise."""
    n, k = len(values), np.arange(1, lags + 1)
    rho = np.array([np.mean(values[i:] * values[:-i]) for i in k]) / np.mean(values ** 2)
    return stats.chi2.sf(n * (n + 2.0) * np.sum(rho ** 2 / (n - k)), lags)


@pytest.mark.parametrize('learning', ['continuous', 'windows'])
@pytest.mark.parametrize('weight', [0.5, 0.9])
def test_it_finds_how_long_noise_lasts_and_makes_innovations_white(weight, learning):
    """From W = 0, by the t-interval of the seeds; a white model leaves them coloured."""
    tuning = {'acceleration_variance': VARIANCE, 'initial_variance': 1e-3}
    found, white, coloured = [], [], []
    for seed in range(6):
        readings = felt_motion(seed, weight, 2500)[1]
        shaping = make_filter(NAME, FELT, ['feeler'], DT, window=200, learning=learning, **tuning)
        plain = make_filter('error_ekf_fe', FELT, ['feeler'], DT, **tuning)
        innovations, weights = run(shaping, readings)[:, 1000:]
        found.append(np.mean(weights))
        white.append(whiteness(innovations))
        coloured.append(whiteness(run(plain, readings)[0, 1000:]))
    low, high = stats.t.interval(0.999, len(found) - 1, np.mean(found), stats.sem(found))
    assert low < weight < high
    assert high - low < 0.25
    assert np.median(white) > 0.05
    assert max(coloured) < 1e-6


@dataclass(frozen=True)
class BothSettings(AdaptationSettings, ColouredNoiseSettings, ForceSettings, ModelFilterSettings):
    """Of a filter with both parts, which share `window`."""


class Both(NoiseAdaptation, ColouredNoise, ExactTransition, ForceFilter):
    """The toy of another package: nothing of its own."""

    Settings = BothSettings


class Swapped(ColouredNoise, NoiseAdaptation, ExactTransition, ForceFilter):
    """The same in another order."""

    Settings = BothSettings


@pytest.mark.parametrize('factor', [0.3, 3.0])
def test_parts_combine(factor):
    """Noise that lasts and the noise of a sensor, whose sigma is wrong, are found together."""
    mechanism = FELT.replace(sensors={'feeler': {'sigma': 0.05 * factor}})
    weights, variances, white = [], [], []
    for seed in range(4):
        both, swapped = (kind(mechanism, sensors_of(mechanism, ['feeler']), DT, BothSettings(
            adapt='sensors', window=200, acceleration_variance=VARIANCE, initial_variance=1e-3))
            for kind in (Both, Swapped))
        readings = felt_motion(seed, 0.9, 2500)[1]
        innovations, found = run(both, readings)
        np.testing.assert_array_equal(innovations, run(swapped, readings)[0])
        weights.append(np.mean(found[1000:]))
        variances.append(both.sensor_variance[0] / 0.05 ** 2)
        white.append(whiteness(innovations[1000:]))
        assert np.var(innovations[1000:]) == pytest.approx(1.0, abs=0.1)
    assert np.mean(weights) == pytest.approx(0.9, abs=0.03)
    assert np.mean(variances) == pytest.approx(1.0, abs=0.25)
    assert np.median(white) > 0.05


def test_a_window_counts_as_a_whole():
    """W stays during a window, then grows by the mean product of neighbouring innovations in it.

    With one sensor, corrections of the acceleration are innovations but for a factor.
    """
    filter_ = make_filter(NAME, FELT, ['feeler'], DT, window=50, learning='windows',
                          acceleration_variance=VARIANCE, initial_variance=1e-3)
    innovations, weights = run(filter_, felt_motion(1, 0.9, 100)[1])
    values = np.clip(innovations, -3.0, 3.0)
    expected = values[1:50] @ values[:49] / 50.0
    np.testing.assert_array_equal(weights[:49], 0.0)
    np.testing.assert_allclose(weights[49:99], min(expected, 0.99), rtol=1e-9)


def test_a_new_start_forgets_the_noise():
    filter_ = make_filter(NAME, FELT, ['feeler'], DT, window=2)
    fresh = filter_.state_covariance
    run(filter_, felt_motion(1, 0.9, 50)[1])
    assert filter_.weights[0] > 0.1
    filter_.reset(SLED.z0, SLED.zd0)
    assert filter_.weights[0] == 0.0
    np.testing.assert_array_equal(filter_.state_covariance, fresh)


@pytest.mark.parametrize(('sensors', 'text'), [
    ({'coloured_sensors': ['gyro']}, 'coloured_sensors: gyro is no sensor of this filter, expected'
                                     ' some of encoder, other'),
    ({'coloured_sensors': ['other']}, 'coloured_sensors: other has a bias')])
def test_sensors_that_cannot_be_coloured_are_reported(sensors, text):
    biased = SLED.replace(sensors={'other': {'bias_sigma': 0.1}})
    with pytest.raises(FilterError, match=text):
        make_filter(NAME, biased, list(SLED.sensors), DT, **sensors)


def test_smoothing_knows_how_noises_pass_on():
    """Smoothed errors are as large as smoothed variances say, and smaller than filtered ones."""
    weight, count = 0.9, 400
    tuning = {'acceleration_variance': VARIANCE, 'initial_variance': 1e-3, 'window': 0,
              'correlation_time': -DT / np.log(weight)}
    smoothed, filtered = [], []
    for seed in range(8):
        truth, readings = felt_motion(seed, weight, count)
        filter_ = make_filter(NAME, FELT, ['feeler'], DT, **tuning)
        start = np.random.default_rng(seed).normal(scale=np.sqrt(1e-3), size=2)
        filter_.reset(SLED.z0 + start[0], SLED.zd0 + start[1])
        result = smooth(filter_, Recording(1 + np.arange(count) * 5_000_000, readings, None), DT)
        deviations = np.sqrt(result.covariance[:, 2, 2])
        smoothed.append((result.motion.zdd[:, 0] - truth) / deviations)
        filtered.append((result.filtered.zdd[:, 0] - truth) / deviations)
    assert np.mean(np.square(smoothed)) == pytest.approx(1.0, abs=0.15)
    assert np.mean(np.square(filtered)) > 1.5
