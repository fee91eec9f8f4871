"""Probabilities of normal velocities."""

from math import erf, exp, pi, sqrt

from mb_model.jit import kernel


@kernel
def normal_probability(x):
    """Probability of less than x in the standard normal distribution."""
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


@kernel
def expected_rate(speed, deviation):
    """Mean of max(0, v) where v is normal around speed."""
    x = speed / deviation
    if x < -8.0:
        return 0.0
    return deviation * (exp(-0.5 * x * x) / sqrt(2.0 * pi) + x * normal_probability(x))
