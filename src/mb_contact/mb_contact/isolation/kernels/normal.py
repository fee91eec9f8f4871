"""Probabilities of normal velocities."""

from math import cos, erf, exp, pi, sin, sqrt

from mb_model.jit import entry, kernel


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


@entry
def turned(speed, width, cosine, sine):
    """Return how probable an angle is between a velocity in a plane and its mean; 1: as any.

    speed: of the mean, over the deviation along each axis; the angle, by cosine and sine, has a
    width [rad]: three angles a third of it apart stand for it.
    Source: projected normal distribution, Mardia and Jupp 2000, Sec. 3.5.6.
    """
    total = 0.0
    for k in range(-1, 2):
        turn = k * width / 3.0
        x = speed * (cosine * cos(turn) - sine * sin(turn))
        y = speed * (sine * cos(turn) + cosine * sin(turn))
        total += exp(-0.5 * speed * speed) + sqrt(2.0 * pi) * x * normal_probability(x) * exp(
            -0.5 * y * y)
    return total / 3.0
