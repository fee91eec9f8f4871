"""How a machine's numbers are fitted to bags."""

from dataclasses import dataclass

from mb_model import Settings, setting


class FitError(ValueError):
    """Bags, or numbers to be fitted, from which no fit can come, in words."""


@dataclass(frozen=True)
class FitSettings(Settings):
    """Selection of the samples of a motion, their weights, and what is believed before."""

    settling_time: float = setting(
        0.5, unit='s', at_least=0.0, help='Left out at the start of estimated states, while the '
        'estimator finds them; readings of encoders need none')
    knot_spacing: float = setting(
        0.02, unit='s', at_least=0.0, help='Of the spline through the readings of encoders: the '
        'shorter, the faster motions are followed, and the more noise is in the accelerations; 0: '
        'the one with which forces that a fit has not seen are foreseen best')
    averaging_time: float = setting(
        0.01, unit='s', above=0.0,
        help='Forces, needed and known, are averaged over this time')
    oil_averaging_time: float = setting(
        0.1, unit='s', at_least=0.0, help='Of cylinders, each instant is the mean over this time: '
        'about one oscillation of machine and oil')
    largest_acceleration: float = setting(
        0.02, unit='m/s^2', above=0.0, help='Instants at which a piston accelerates more are left '
        'out: the estimated velocity lags then')
    torque_deviation: float = setting(
        0.02, unit='N m or N', above=0.0, help='Standard deviation of the known force of a drive, '
        'to begin with: residuals show the one of each drive, beside what errors of the motion '
        'make')
    torque_share: float = setting(
        0.0, at_least=0.0, help='Further standard deviation of a known force, a share of it: '
        'drives are the less exact the more they do')
    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    prior_deviation: float = setting(
        1.0, above=0.0, help='Standard deviation of what the file says, a share of it: of the '
        'mass properties of a body, and of numbers on which the drives depend little')
    outliers: float = setting(
        0.0, at_least=0.0, help='Residuals count less from so many of their standard deviations '
        'on, as of stops, falls and impacts (weights of Cauchy; 2.4 is usual); 0: all count alike')
    loss_velocity: float = setting(
        0.1, unit='rad/s or m/s', above=0.0,
        help='Velocity from which drives lose their share of the force fully')
    lash_force: float = setting(
        0.35, unit='N m or N', above=0.0, help='Force of a drive from which its lash is taken up')
    lash_time: float = setting(
        6e-3, unit='s', above=0.0, help='Time that it takes to cross the lash')
    held_out: float = setting(
        1.0 / 3.0, at_least=0.0, at_most=0.9,
        help='Share at the end of each bag by which the fit of the rest is judged; the numbers '
             'that are written are fitted to all')
    longest_delay: float = setting(
        0.1, unit='s', above=0.0,
        help='How late the stamps of an IMU are looked for, or early')
    imu_knot_spacing: float = setting(
        0.0, unit='s', at_least=0.0, help='As knot_spacing, for mountings of IMUs; 0: the one by '
        'which the readings of encoders predict each other best')
