"""The noise of readings against its description."""

import numpy as np
import pytest
from scipy import stats

from mb_sensors.noise import SensorNoise
from mb_sensors.sensor import NoiseSettings

COUNT = 200_000
ZERO = np.zeros((COUNT, 1))
NUMBERS = np.arange(COUNT)


def noise(sensor='encoder', seed=1, **settings):
    return SensorNoise(NoiseSettings(**{'sigma': 1.0, **settings}), seed, sensor)


def test_white_noise_is_standard_normal():
    readings = noise().readings(NUMBERS, ZERO)[:, 0]
    assert stats.kstest(readings, 'norm').pvalue > 1e-3
    for lag in (1, 2, 3, 7):
        correlation = np.mean(readings[lag:] * readings[:-lag])
        assert abs(correlation) < 4.0 / np.sqrt(COUNT)


def test_channels_sensors_and_seeds_are_independent():
    base = noise().readings(NUMBERS, ZERO)[:, 0]
    gyro = noise('gyro').readings(NUMBERS, ZERO)[:, 0]
    other_seed = noise(seed=2).readings(NUMBERS, ZERO)[:, 0]
    two = noise().readings(NUMBERS, np.zeros((COUNT, 2)))
    for a, b in [(base, gyro), (base, other_seed), (two[:, 0], two[:, 1])]:
        assert abs(np.mean(a * b)) < 4.0 / np.sqrt(COUNT)


def test_a_reading_depends_on_its_number_only():
    whole = noise(drop_out=0.3).readings(NUMBERS[:100], ZERO[:100])
    alone = [noise(drop_out=0.3).reading(k, ZERO[0]) for k in reversed(range(100))][::-1]
    np.testing.assert_array_equal(whole, alone)


def test_numbers_of_wall_clock_stamps_work():
    readings = noise().readings(np.arange(1000) + 360_000_000_000, ZERO[:1000])
    assert stats.kstest(readings[:, 0], 'norm').pvalue > 1e-3


def test_bias_scale_and_resolution():
    readings = noise(sigma=0.5, bias=2.0, resolution=0.25).readings(NUMBERS, ZERO + 10.0)
    assert readings.mean() == pytest.approx(12.0, abs=0.01)
    assert readings.std() == pytest.approx(np.sqrt(0.5 ** 2 + 0.25 ** 2 / 12.0), rel=0.01)
    np.testing.assert_array_equal(readings % 0.25, 0.0)
    variance = NoiseSettings(sigma=0.5, resolution=0.25).variance
    assert variance == pytest.approx(readings.var(), rel=0.02)


def test_drawn_biases_are_constant_and_as_large_as_set():
    first = noise(sigma=0.0, bias=1.0, drawn_bias=0.4).readings(NUMBERS[:3], np.zeros((3, 2)))
    np.testing.assert_array_equal(first, np.broadcast_to(first[0], (3, 2)))
    assert first[0, 0] != first[0, 1]
    drawn = np.array([noise(seed=seed, drawn_bias=0.4).errors(2)[:, 0] for seed in range(2000)])
    assert stats.kstest(drawn.ravel() / 0.8 + 0.5, 'uniform').pvalue > 1e-3


def test_drop_outs_come_as_often_as_set_and_for_all_channels_at_once():
    readings = noise(drop_out=0.1).readings(NUMBERS, np.zeros((COUNT, 2)))
    lost = np.isnan(readings)
    assert lost.mean() == pytest.approx(0.1, abs=0.005)
    np.testing.assert_array_equal(lost[:, 0], lost[:, 1])


@pytest.mark.parametrize(('settings', 'text'), [
    ({'sigma': -1.0}, 'sigma: -1.0 must be >= 0'),
    ({'drop_out': 1.5}, 'drop_out: 1.5 must be >= 0 and <= 1'),
    ({'rate': 0.0}, 'rate: 0.0 must be > 0'),
])
def test_impossible_settings_are_reported(settings, text):
    with pytest.raises(ValueError, match=text):
        noise(**settings)


def test_scale_and_limits_of_readings():
    truth = np.linspace(-10.0, 10.0, 201)[:, None]
    read = noise(sigma=0.0, scale=0.1, bias=0.5, range=8.0).readings(np.arange(201), truth)
    np.testing.assert_allclose(read, np.clip(1.1 * truth + 0.5, -8.0, 8.0))


def test_axes_lean_by_angles_that_the_seed_draws():
    """Three axes at once: off the diagonal at most the misalignment, on it the drawn scale."""
    gains = np.array([noise(sigma=0.0, misalignment=0.02, drawn_scale=0.05, seed=seed).readings(
        np.arange(3), np.eye(3)).T for seed in range(1000)])
    off, on = gains[:, ~np.eye(3, dtype=bool)], gains[:, np.eye(3, dtype=bool)] - 1.0
    for errors, largest in ((off, 0.02), (on, 0.05)):
        assert np.abs(errors).max() < largest
        assert stats.kstest(errors.ravel() / largest, stats.uniform(-1.0, 2.0).cdf).pvalue > 1e-3
        assert np.abs(np.corrcoef(errors.T) - np.eye(errors.shape[1])).max() < 0.15
    assert noise(misalignment=0.02, sigma=0.0).reading(0, [3.0]) == pytest.approx([3.0])
