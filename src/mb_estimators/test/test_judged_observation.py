"""The share of judgements with a verdict, of innovations that are drawn as claimed, and wider."""

import numpy as np
import pytest

from mb_estimators import FilterError, inconsistent_share
from mb_estimators.observation import Observation
from mb_model import load_mechanism
from mb_sensors import sensors_of

NOTHING = np.empty(0)
SENSORS = sensors_of(load_mechanism('four_bar'), ['crank_encoder'])


def observed(innovation):
    """Return an Observation with innovations (k), claimed to have a deviation of 0.01."""
    return Observation(
        z=NOTHING, zd=NOTHING, zdd=NOTHING, covariance=NOTHING, innovation=innovation[:, None],
        innovation_covariance=np.full((len(innovation), 1, 1), 1e-4), nis=(innovation / 0.01) ** 2,
        parameters={}, parameter_deviations={}, hydraulics=None)


@pytest.mark.parametrize(('wide_from', 'verdicts'), [(2000, 0), (1100, 6), (0, 13)])
def test_too_wide_innovations_have_verdicts(wide_from, verdicts):
    """Which follow without a tolerance from when it is judged, and from how sure a verdict is.

    Two of three readings are there, 1333.  The judgement of the first one says nothing; the others
    come after 99 more each, which take less than a second: thirteen.  Innovations as claimed have
    a verdict by a chance of 1e-4 each.  Three times as wide, the sum of n = 100 or more squares is
    9 chi-square (n), and its bound below 1.7 n: no verdict by a chance below 1e-30.  Wide from the
    734th on, the judgements of the 793rd and later have 60 such innovations or more in their
    windows of 266: a mean square of 2.8, three deviations above the bound of 1.4.
    """
    innovation = 0.01 * np.random.default_rng(1).normal(size=2000)
    innovation[wide_from:] *= 3.0
    innovation[::3] = np.nan
    stamps = 10 ** 9 + np.arange(2000) * 5_000_000
    assert inconsistent_share(SENSORS, stamps, observed(innovation)) == verdicts / 13


@pytest.mark.parametrize('readings', [0, 1])
def test_without_a_judgement_there_is_no_share(readings):
    innovation = np.full(2000, np.nan)
    innovation[:readings] = 0.01
    with pytest.raises(FilterError, match='observation: too few innovations for a judgement'):
        inconsistent_share(SENSORS, 5_000_000 * np.arange(2000), observed(innovation))
