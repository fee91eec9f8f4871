"""Covariances of least squares, against the scatter of many fits."""

import numpy as np
import pytest
from scipy.signal import lfilter

from mb_sensors import fit_covariance

SAMPLES, BLOCK, LASTS = 1600, 50, 5         # 32 blocks, correlation time of errors
SLOPES = np.random.default_rng(0).standard_normal((SAMPLES, 8)).cumsum(axis=0)
SLOPES = SLOPES / SLOPES.std(axis=0)
BLOCKS = np.arange(SAMPLES) // BLOCK


def fits(lasts, count=150):
    """Return errors (n, p) of fits to errors that last so many samples, and their covariances."""
    random, kept = np.random.default_rng(1), np.exp(-1.0 / lasts) if lasts else 0.0
    errors, covariances = [], []
    for _ in range(count):
        noise = lfilter([np.sqrt(1.0 - kept ** 2)], [1.0, -kept],
                        random.standard_normal(SAMPLES + 100))[100:]
        change = np.linalg.lstsq(SLOPES, noise, rcond=None)[0]
        errors.append(change)
        covariances.append(fit_covariance(SLOPES, noise - SLOPES @ change, BLOCKS))
    return np.array(errors), np.array(covariances)


@pytest.mark.parametrize('lasts', [0, LASTS])
def test_it_is_the_covariance_of_many_fits(lasts):
    errors, covariances = fits(lasts)
    deviations = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    held = np.mean(np.abs(errors) < 1.96 * deviations)
    assert 0.9 < held < 0.98
    np.testing.assert_allclose(deviations.mean(axis=0), errors.std(axis=0), rtol=0.25)


@pytest.mark.parametrize('lasts', [0, LASTS])
@pytest.mark.parametrize('blocks', [2, 4, 8, 15])
def test_intervals_of_few_blocks_hold(blocks, lasts):
    """And none is narrower than by white errors; of 2 and 4 blocks .8 held without this."""
    random, kept, held = np.random.default_rng(4), np.exp(-1.0 / lasts) if lasts else 0.0, []
    count = blocks * BLOCK
    for _ in range(100):
        slopes = random.standard_normal((count, 3)).cumsum(axis=0)
        noise = lfilter([np.sqrt(1.0 - kept ** 2)], [1.0, -kept],
                        random.standard_normal(count + 100))[100:]
        change = np.linalg.lstsq(slopes, noise, rcond=None)[0]
        covariance = fit_covariance(slopes, noise - slopes @ change, BLOCKS[:count])
        held.append(np.abs(change) < 1.96 * np.sqrt(np.diagonal(covariance)))
        exact = slopes.T @ slopes
        assert np.linalg.eigvals(covariance @ exact).real.min() > 1.0 - 1e-6    # white
    assert np.mean(held) >= 0.9


def test_white_errors_have_their_covariance():
    """And less scatter than a sandwich over 32 blocks alone has, .18."""
    exact = np.sqrt(np.diagonal(np.linalg.inv(SLOPES.T @ SLOPES)))
    ratios = np.sqrt(np.diagonal(fits(0)[1], axis1=1, axis2=2)) / exact
    assert ratios.mean() == pytest.approx(1.0, abs=0.06)
    assert ratios.std() < 0.16


def test_a_parameter_of_one_block_is_as_uncertain_as_by_white_errors():
    """The block that alone determines it shows nothing of its error."""
    slopes = np.column_stack([SLOPES[:, 0], BLOCKS == 3])
    noise = np.random.default_rng(2).standard_normal(SAMPLES)
    left = noise - slopes @ np.linalg.lstsq(slopes, noise, rcond=None)[0]
    assert fit_covariance(slopes, left, BLOCKS)[1, 1] == pytest.approx(1.0 / BLOCK, rel=0.4)
    one_block = fit_covariance(slopes, left, np.zeros_like(BLOCKS))
    np.testing.assert_allclose(one_block, np.linalg.inv(slopes.T @ slopes), rtol=1e-6)


def test_what_is_not_determined_has_a_huge_variance():
    slopes = np.column_stack([SLOPES[:, 0], SLOPES[:, 0]])
    covariance = fit_covariance(slopes, np.ones(SAMPLES), BLOCKS)
    assert covariance[1, 1] > 1e4
    assert covariance[0, 0] + covariance[1, 1] + 2.0 * covariance[0, 1] < 1.0
