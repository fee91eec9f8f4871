"""The share of judgements with a verdict, of innovations that are drawn as claimed, and wider."""

import numpy as np
import pytest

from mb_estimators import inconsistent_share
from mb_estimators.observation import Observation
from mb_model import load_mechanism
from mb_sensors import sensors_of

NOTHING = np.empty(0)


@pytest.mark.parametrize(('wider', 'share'), [(1.0, 0.0), (3.0, 1.0)])
def test_too_wide_innovations_have_verdicts(wider, share):
    innovation = wider * 0.01 * np.random.default_rng(1).normal(size=(2000, 1))
    innovation[::3] = np.nan
    observed = Observation(
        z=NOTHING, zd=NOTHING, zdd=NOTHING, covariance=NOTHING, innovation=innovation,
        innovation_covariance=np.full((2000, 1, 1), 1e-4), nis=(innovation[:, 0] / 0.01) ** 2,
        parameters={}, parameter_deviations={}, hydraulics=None)
    sensors = sensors_of(load_mechanism('four_bar'), ['crank_encoder'])
    stamps = 10 ** 9 + np.arange(2000) * 5_000_000
    assert inconsistent_share(sensors, stamps, observed) == pytest.approx(share, abs=0.21)
