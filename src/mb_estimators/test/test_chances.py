"""Chances in closed form, against scipy's of real arguments."""

from math import floor

import numpy as np
import pytest
from scipy import stats

from mb_estimators.watches.chances import (
    binomial_tail,
    chi_square_bound,
    chi_square_tail,
    enough_events,
)


@pytest.mark.parametrize('freedom', [1, 2, 3, 6, 25, 150, 1001])
def test_sums_of_squares(freedom):
    for square in (0.0, 1e-3, 1.0, 10.0, 100.0, 1000.0):
        assert chi_square_tail(freedom, square) == pytest.approx(
            stats.chi2.sf(square, freedom), rel=1e-10)
    for chance in (6e-7, 0.01, 0.5, 0.99):
        assert chi_square_bound(freedom, chance) == pytest.approx(
            stats.chi2.isf(chance, freedom), rel=1e-12)


def test_counts():
    rng = np.random.default_rng(0)
    for count, share in zip(rng.integers(1, 3000, 200), rng.uniform(0.01, 0.6, 200), strict=True):
        most = int(rng.integers(floor(share * count), count + 1))
        assert binomial_tail(most, int(count), share) == pytest.approx(
            stats.binom.sf(most, count, share), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(('above', 'share'), [(0.21, 0.1), (0.41, 0.2), (0.9, 0.5), (1.0, 0.5)])
def test_the_last_number_of_events_that_deceives(above, share):
    counts = np.arange(1, 2000)
    deceives = stats.binom.sf(np.floor(above * counts), counts, share) > 1e-6
    expected = counts[deceives][-1] if deceives.any() else 1
    assert enough_events(above, share, 1e-6, 2000) == expected
