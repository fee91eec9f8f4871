"""Consistency: figures with known distributions, and filters that are wrong in known ways."""

import numpy as np
import pytest
from scipy import linalg, signal, stats

from mb_estimators import three_simulation
from mb_estimators.consistency.normalized import (
    agreement,
    chi_square_interval,
    ensemble_nees,
    mean_interval,
    normalized_squares,
    whitened,
)
from mb_estimators.consistency.sensor_consistency import Cause, assess
from mb_estimators.consistency.whiteness import autocorrelation, scales, spectrum, white_band

RUNS = 300


def covariances(rng, count, size):
    factors = rng.normal(size=(count, size, size))
    return factors @ factors.transpose(0, 2, 1) + 0.1 * np.eye(size)


def random_walks(rng, steps, plant=1.0, sensor=1.0, ramp=0.0):
    """Return innovations and NEES of a Kalman filter on a random walk that is read with noise.

    plant, sensor: true variances, which the filter takes for 1; ramp: what it does not know of.
    """
    x = estimate = 0.0
    variance = 1.0
    innovations, nees = [], []
    for _ in range(steps):
        x += ramp + np.sqrt(plant) * rng.normal()
        variance += 1.0
        total = variance + 1.0
        residual = x + np.sqrt(sensor) * rng.normal() - estimate
        estimate += variance / total * residual
        variance /= total
        innovations.append(residual / np.sqrt(total))
        nees.append((x - estimate) ** 2 / variance)
    return np.array(innovations)[:, None], np.array(nees)


def test_intervals_are_those_of_the_chi_square_distribution():
    assert chi_square_interval(3.0) == pytest.approx(stats.chi2.ppf([0.025, 0.975], 3.0))
    assert mean_interval(3, 50, 0.9) == pytest.approx(stats.chi2.ppf([0.05, 0.95], 150) / 50)


def test_normalized_squares_follow_the_chi_square_distribution():
    rng = np.random.default_rng(1)
    P = covariances(rng, 4000, 3)
    errors = np.einsum('kij,kj->ki', [linalg.sqrtm(p).real for p in P], rng.normal(size=(4000, 3)))
    squares = normalized_squares(errors, P)
    assert squares == pytest.approx(
        [e @ np.linalg.inv(p) @ e for e, p in zip(errors, P, strict=True)])
    mean, inside = agreement(squares, np.full(4000, 3))
    assert mean == pytest.approx(1.0, abs=0.04)
    assert inside == pytest.approx(0.95, abs=0.012)
    assert stats.kstest(squares, stats.chi2(3).cdf).pvalue > 0.01
    assert np.cov(whitened(errors, P).T) == pytest.approx(np.eye(3), abs=0.06)


def test_autocorrelation_of_a_first_order_process():
    rng = np.random.default_rng(3)
    x = signal.lfilter([1.0], [1.0, -0.8], rng.normal(size=50000))
    assert autocorrelation(x, 3) == pytest.approx([0.8, 0.64, 0.512], abs=0.02)
    assert not autocorrelation(np.ones(10), 3).any()


@pytest.mark.parametrize('count', [2, 9, 400])
def test_scales_are_mean_squares_of_averages(count):
    """By the definition: b times the square of an average of b readings, averaged over all."""
    innovations = np.random.default_rng(4).normal(size=(count, 2))
    found = scales(innovations, 0.95)
    assert found[0].length == 1
    assert found[-1].length == count
    for scale in found:
        means = [innovations[k:k + scale.length].mean(axis=0)
                 for k in range(0, count - scale.length + 1, scale.length)]
        assert scale.ratio == pytest.approx(scale.length * np.mean(np.square(means)))
        assert scale.freedom == 2 * len(means)


def test_scales_of_a_random_walk_of_averages():
    """Averages of b readings of a first-order process: its long-run variance, for long ones."""
    rng = np.random.default_rng(4)
    x = signal.lfilter([0.6], [1.0, -0.8], rng.normal(size=400_000))[:, None]
    longest = scales(x, 0.95)[6]            # 4096 readings
    assert longest.ratio == pytest.approx(0.6 ** 2 / 0.2 ** 2, rel=0.25)


def test_white_noise_has_a_flat_spectrum_inside_its_band():
    rng = np.random.default_rng(2)
    deviation, rate = 3.0, 200.0
    _, density, segments = spectrum(deviation * rng.normal(size=20000), rate)
    relative = density * rate / (2 * deviation ** 2)
    low, high = white_band(segments)
    assert relative.mean() == pytest.approx(1.0, abs=0.03)
    assert np.mean((relative > low) & (relative < high)) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize('length', [1000, 256, 255, 40])
def test_spectrum_is_welch_s(length):
    values = np.random.default_rng(5).normal(size=length) + 1.0
    frequencies, density, segments = spectrum(values, 200.0)
    expected = signal.welch(values, fs=200.0, nperseg=min(256, length), detrend='constant')
    assert frequencies == pytest.approx(expected[0][1:])
    assert density == pytest.approx(expected[1][1:])
    assert segments == (6 if length == 1000 else 1)


@pytest.mark.parametrize(('channels', 'count'), [(1, 400), (3, 400), (1, 30)])
def test_exact_filter_is_consistent_with_the_probability_that_was_asked_for(channels, count):
    rng = np.random.default_rng(6)
    judged = [assess('encoder', rng.normal(size=(count, channels)), 0.95) for _ in range(RUNS)]
    assert all(type(figures.is_consistent) is bool for figures in judged)
    passed = sum(figures.is_consistent for figures in judged)
    assert stats.binomtest(passed, RUNS, 0.95, alternative='less').pvalue > 0.001


def test_right_filter_is_consistent_in_every_sense():
    rng = np.random.default_rng(7)
    runs = [random_walks(rng, 400) for _ in range(60)]
    found = ensemble_nees([nees for _, nees in runs], 1)
    assert found.is_consistent
    assert found.average == pytest.approx(1.0, abs=0.05)
    assert found.share_inside == pytest.approx(0.95, abs=0.05)
    assert sum(assess('encoder', innovations, 0.99).is_consistent for innovations, _ in runs) > 55


@pytest.mark.parametrize('cautious', [
    {'plant': 1.0 / 9.0}, {'sensor': 1.0 / 9.0}, {'plant': 1.0 / 9.0, 'sensor': 1.0 / 9.0},
    {'plant': 0.0}, {'plant': 0.0, 'sensor': 0.0}])
def test_a_filter_that_expects_more_noise_than_there_is_is_consistent(cautious):
    """Its intervals hold the truth; it says that they are wide."""
    rng = np.random.default_rng(8)
    for _ in range(10):
        innovations, nees = random_walks(rng, 2000, **cautious)
        figures = assess('encoder', innovations)
        assert figures.is_consistent
        assert not figures.verdict
        assert figures.cause is Cause.NONE
        assert 'wider than needed' in figures.remark
        assert nees.mean() < 1.0


@pytest.mark.parametrize(('wrong', 'cause'), [
    ({'plant': 9.0}, Cause.LASTING), ({'sensor': 9.0}, Cause.NOISE),
    ({'ramp': 2.0}, Cause.LASTING)])
def test_verdict_says_what_is_wrong(wrong, cause):
    rng = np.random.default_rng(8)
    for _ in range(10):
        innovations, nees = random_walks(rng, 2000, **wrong)
        found = assess('encoder', innovations, 0.999)
        assert not found.is_consistent
        assert found.cause is cause
        assert found.verdict.startswith('encoder: ')
        assert found.verdict.endswith(cause)
        assert not found.remark
        assert nees.mean() > 1.5


def test_verdict_on_single_readings_that_are_far_off():
    rng = np.random.default_rng(9)
    innovations = rng.normal(size=(2000, 1))
    innovations[::50, 0] += 10.0 * rng.choice([-1.0, 1.0], size=40)
    found = assess('gyro', innovations)
    assert found.cause is Cause.OUTLIERS
    assert found.incredible == pytest.approx(0.02)
    innovations[::50] = 0.0
    innovations[1000] += 10.0
    assert assess('gyro', innovations).is_consistent        # a single one makes no filter wrong


def test_verdict_says_how_much_too_large_the_innovations_are():
    rng = np.random.default_rng(9)
    found = assess('gyro', 3.0 * rng.normal(size=(5000, 2)))
    assert not found.is_consistent
    assert 'innovations are 3.0' in found.verdict or 'innovations are 2.9' in found.verdict


def test_verdict_on_innovations_off_zero():
    rng = np.random.default_rng(10)
    found = assess('gyro', rng.normal(size=(2000, 1)) + 0.2)
    assert found.offset == pytest.approx(0.2, abs=0.1)
    assert found.has_right_size
    assert found.is_lasting
    assert found.lasting_length == 2000
    assert found.verdict.startswith('gyro: averages of innovations over 2000 readings are ')


def test_verdict_on_a_repeating_disturbance():
    wave = np.sin(np.arange(1600) / 30.0)[:, None]
    assert assess('gyro', wave).cause is Cause.LASTING


@pytest.mark.parametrize('count', [0, 1, 2, 5])
def test_few_readings_are_judged_without_harm(count):
    assert assess('gyro', np.zeros((count, 2))).count == count
    assert assess('gyro', np.empty((0, 2))).verdict == ''


@pytest.mark.parametrize(('plant', 'sensor', 'named'), [
    (1.0, 1.0, False), (0.0, 1.0, False), (1.0, 0.01, False), (0.0, 25.0, True), (1.0, 25.0, True)])
@pytest.mark.parametrize('believed', [1.0, 30.0])
def test_noise_is_found_that_plant_noise_hides(plant, sensor, named, believed):
    """A random walk of a variance, read with another, of a filter that takes both for 1 and more.

    believed: the plant noise of the filter; with 30 its innovations are smaller than expected.
    """
    rng, x, estimate, variance = np.random.default_rng(22), 0.0, 0.0, 1.0
    white, in_sigmas = [], []
    for _ in range(200):
        x += np.sqrt(plant) * rng.normal()
        variance += believed
        total, residual = variance + 1.0, x + np.sqrt(sensor) * rng.normal() - estimate
        estimate += variance / total * residual
        variance /= total
        white.append([residual / np.sqrt(total)])
        in_sigmas.append([residual])
    found = assess('encoder', np.array(white), 0.9999, in_sigmas=np.array(in_sigmas))
    assert found.is_noisy == named
    assert found.is_consistent == (not named)
    if named:
        assert found.noise.variance == pytest.approx(25.0, rel=0.4)
        assert 'noisy' in found.verdict or 'as large' in found.verdict


def test_run_gives_nees_and_consistency_of_every_sensor():
    result = three_simulation('four_bar', 'error_ekf_fe', ['crank_encoder', 'crank_accelerometers'],
                              {'z0': 0.05}, 2.5, 0.005, seed=3)
    error = np.concatenate([getattr(result.observer, name)[-1] - getattr(result.truth, name)[-1]
                            for name in ('z', 'zd', 'zdd')])
    assert result.nees[-1] == pytest.approx(error @ np.linalg.inv(result.covariance[-1]) @ error)
    found = result.consistency()
    assert list(found) == ['crank_encoder', 'crank_accelerometers']
    variances = result.innovation_covariance[400:, 0, 0]
    assert found['crank_encoder'].count == 101
    assert found['crank_encoder'].nis == pytest.approx(
        np.mean(result.innovation[400:, 0] ** 2 / variances))


@pytest.mark.parametrize(('factor', 'cause'), [(0.25, Cause.NOISE), (4.0, Cause.NONE)])
def test_wrong_sigma_is_found_in_a_run_where_it_does_harm(factor, cause):
    sigma = 17.453e-3
    result = three_simulation(
        'four_bar', 'error_ekf', ['crank_encoder'],
        {'sensors': {'crank_encoder': {'sigma': factor * sigma}}}, 6.0, 0.005, seed=1)
    encoder = result.consistency()['crank_encoder']
    assert encoder.cause is cause
    assert bool(encoder.remark) == (factor > 1.0)
