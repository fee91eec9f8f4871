"""How friction is fitted: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class FrictionFitSettings(Settings):
    """Selection of the samples of friction, and their weights."""

    settling_time: float = setting(
        1.0, unit='s', at_least=0.0, help='Time left out at the start, while the observer '
        'finds the state')
    averaging_time: float = setting(
        0.1, unit='s', at_least=0.0,
        help='Each sample is the mean over this time: about one oscillation of machine and oil')
    largest_acceleration: float = setting(
        0.02, unit='m/s^2', above=0.0,
        help='Samples during which a piston accelerates more are left out: the estimated velocity '
        'lags then')
    block_time: float = setting(
        0.5, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    robust_scale: float = setting(
        2.0, above=0.0, help='Residuals beyond so many of their deviations count less')
    still_deviations: float = setting(
        3.0, at_least=0.0, help='A velocity within so many deviations of zero may be of either '
        'sign, and of a piston that sticks: such samples are left out')
