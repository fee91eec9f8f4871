"""How a sensor errs: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class NoiseSettings(Settings):
    """How the readings of a sensor differ from the truth, in the sensor's unit (SI, radians)."""

    sigma: float = setting(
        help='Standard deviation of the white noise on every reading', at_least=0.0)
    bias: float = setting(0.0, help='Constant offset of every reading')
    drawn_bias: float = setting(
        0.0, help='Largest further offset of simulated readings, one drawn for each channel and '
                  'seed', at_least=0.0)
    bias_sigma: float = setting(
        0.0, help='Standard deviation of the unknown offset that a filter is to estimate; 0: it '
                  'takes readings to have none', at_least=0.0)
    bias_walk: float = setting(
        0.0, help='Growth of that deviation in a second, as its root grows', at_least=0.0)
    mounting_sigma: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown turn about each axis with which a sensor of three '
             'axes in space is mounted, beside its rpy; a filter is to estimate it, one for all '
             'sensors of a topic; 0: it takes rpy for right')
    scale_sigma: float = setting(
        0.0, at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown relative error of the sensitivity of every channel '
             'that a filter is to estimate; 0: it takes the sensitivity for right')
    misalignment_sigma: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown angle by which each axis of a sensor of three axes '
             'leans towards each other one that a filter is to estimate; 0: it takes axes for '
             'right')
    scale: float = setting(
        0.0, help='Relative error of the sensitivity of every channel', above=-1.0, at_most=1.0)
    drawn_scale: float = setting(
        0.0, help='Largest further relative error of simulated readings, one drawn for each '
                  'channel and seed', at_least=0.0, at_most=1.0)
    misalignment: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Largest angle by which each axis of simulated readings leans towards each other one, '
             'drawn for each pair and seed')
    range: float = setting(
        0.0, help='Largest size of a reading, at which it stays; 0 for no limit', at_least=0.0)
    resolution: float = setting(
        0.0, help='Readings are whole multiples of this; 0 for continuous readings', at_least=0.0)
    rate: float = setting(
        200.0, unit='Hz', help='Readings per second', above=0.0, at_most=100_000.0)
    delay: float = setting(
        0.0, unit='s',
        help='Time from taking a reading to publishing it', at_least=0.0,
        at_most=60.0)
    delay_spread: float = setting(
        0.0, unit='s', at_least=0.0, at_most=60.0,
        help='Largest further delay of a simulated reading, drawn for each')
    stamped_at_arrival: bool = setting(
        False, help='Whether simulated readings bear the time of their arrival, not of the taking')
    sporadic: bool = setting(
        False, help='Whether it reads at times only: a reading that is not a number says that '
                    'there is nothing to read, as between the stops of a cylinder')
    drop_out: float = setting(
        0.0, help='Probability that a reading never arrives', at_least=0.0, at_most=1.0)

    @property
    def variance(self) -> float:
        """Variance of a reading: white noise and, uniform over a step, rounding."""
        return self.sigma ** 2 + self.resolution ** 2 / 12.0
