"""How much the acceleration of each degree of freedom may change in a step."""

from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_model import Mechanism, setting
from mb_model.arrays import FloatArray


def variance_factors() -> Any:
    """Return the setting of filters whose accelerations, or their errors, walk at random."""
    return setting(
        (), above=0.0,
        help='Of each degree of freedom, in the order of `independent`: what its variance is of '
             'the one for all; lengths [m] and angles [rad] need not change alike. Empty: 1')


def acceleration_variances(mechanism: Mechanism, settings: Any, variance: float) -> FloatArray:
    """Return the variance of each degree of freedom (g); variance: the one for all.

    settings: with acceleration_variance_factors.  Raises FilterError.
    """
    factors = settings.acceleration_variance_factors
    if factors and len(factors) != mechanism.g:
        raise FilterError(
            f'acceleration_variance_factors: {len(factors)} values, expected {mechanism.g}: of '
            f'{", ".join(mechanism.independent)}')
    return variance * np.array(factors or mechanism.g * [1.0])
