"""Noises from innovations, of motions whose noises are known."""

from free_motion import SLED
import numpy as np
import pytest

from mb_estimators import FilterError, Recording, identify_noise
from mb_estimators.noise_identification import jackknife
from mb_sensors import sensors_of

DT, PSD, SIGMAS = 0.005, 0.4, np.array([0.02, 0.05])
ROOT = np.linalg.cholesky(PSD * np.array([[DT ** 3 / 3.0, DT ** 2 / 2.0], [DT ** 2 / 2.0, DT]]))


def recording(seed, count, gaps=0.0):
    """Return a Recording of a sled by both encoders, whose accelerations are white noise."""
    random, x, truth = np.random.default_rng(seed), np.array([0.3, 2.0]), []
    for _ in range(count):
        truth.append(x[0])
        x = np.array([[1.0, DT], [0.0, 1.0]]) @ x + ROOT @ random.normal(size=2)
    readings = np.array(truth)[:, np.newaxis] + SIGMAS * random.normal(size=(count, 2))
    readings[random.random((count, 2)) < gaps] = np.nan
    return Recording(5_000_000 * np.arange(count), readings)


def believed(factor):
    """Return the sensors with so many times the noise."""
    return sensors_of(SLED.replace(sensors={
        name: {'sigma': float(sigma * factor)}
        for name, sigma in zip(('encoder', 'other'), SIGMAS, strict=True)}), ['encoder', 'other'])


@pytest.mark.whole
@pytest.mark.parametrize(('wrong', 'gaps'), [(3.0, 0.0), (0.3, 0.3)])
def test_known_noises_are_found_within_their_intervals(wrong, gaps):
    """From ones that are 10 times wrong; of 6 recordings and 3 noises few intervals miss."""
    true = {'acceleration_psd': PSD, 'encoder': SIGMAS[0] ** 2, 'other': SIGMAS[1] ** 2}
    held, values = 0, []
    for seed in range(6):
        found = identify_noise(SLED, believed(wrong), recording(seed, 2500, gaps), DT, lags=40,
                               passes=3, acceleration_psd=PSD / wrong ** 2)
        values.append([found.acceleration_psd, *found.variances.values()])
        held += sum(low <= true[name] <= high for name, (low, high) in found.intervals.items())
    ratios = np.array(values) / list(true.values())
    assert held >= 15           # of 18; fewer have a chance of about 1 %
    np.testing.assert_allclose(ratios.mean(axis=0), 1.0, atol=0.15)
    assert found.change < 0.2


def test_what_is_not_determined_is_refused():
    with pytest.raises(FilterError, match='6 instants after 1 s: expected at least 20'):
        identify_noise(SLED, believed(1.0), recording(1, 206), DT)
    with pytest.raises(FilterError, match='do not determine'):
        jackknife(np.ones((20, 5, 2, 3)))
