"""Settings of filters of pulses, and what they say of a pulse."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_model import Settings, setting

REACH = 3.0           # widths to either side that a pulse lasts, as in kernels.pulses


@dataclass(frozen=True)
class PulseSettings(Settings):
    """Which pulses of an unknown force are expected, and how noisy the known ones are."""

    force_gains: tuple[float, ...] = setting(
        (1.0,), above=0.0,
        help='How much of a known force acts: of each degree of freedom, or one for all.  An '
             'estimated force is in the unit of the known ones')
    force_asymmetries: tuple[float, ...] = setting(
        (0.0,), above=-1.0, at_most=0.99,
        help='Share of the gain by which a positive known force does more, and a negative one '
             'less: of each degree of freedom, or one for all')
    force_growths: tuple[float, ...] = setting(
        (0.0,), unit='s^2/rad^2', at_least=0.0,
        help='Share of the gain by which a known force does more, by the square of the velocity: '
             'of each degree of freedom, or one for all')
    force_losses: tuple[float, ...] = setting(
        (0.0,), at_least=0.0,
        help='Share of a known force that rubs in its gear: of each degree of freedom, or one for '
             'all')
    loss_velocity: float = setting(
        0.1, unit='rad/s', above=0.0, help='Velocity from which gears rub fully')
    gear_lashes: tuple[float, ...] = setting(
        (0.0,), unit='rad', at_least=0.0,
        help='How far a motor leads its joint under load, half of what its gear has of lash; '
             'encoders read the angle of the motor: of each degree of freedom, or one for all')
    lash_force: float = setting(
        0.35, unit='N m', above=0.0, help='Known force from which the lash is taken up')
    lash_time: float = setting(
        6e-3, unit='s', above=0.0, help='Time that it takes to cross the lash')
    noise_deviations: tuple[float, ...] = setting(
        (0.05,), unit='N m', above=0.0,
        help='Standard deviation of what drives and friction do that the model does not, at rest '
             'and without a known force: of each degree of freedom, or one for all')
    noise_time: float = setting(0.05, unit='s', above=0.0, help='Time of its correlation')
    noise_speed: float = setting(
        30.0, unit='rad/s', above=0.0, help='Speed at which its variance is doubled')
    noise_force: float = setting(
        2.0, unit='N m', above=0.0, help='Known force at which its variance is doubled')
    noise_jump: float = setting(
        1.0, unit='N m', above=0.0, help='Jump of the known force after which it is doubled')
    noise_power: float = setting(
        0.0, unit='W', at_least=0.0,
        help='Power of all known forces at which it is doubled, of every degree of freedom; 0: it '
             'does not depend on power')
    innovation_limit: float = setting(
        0.0, at_least=0.0,
        help='A reading farther from the prediction than so many standard deviations counts as if '
             'its noise were as large; 0 limits none')
    pulse_widths: tuple[float, ...] = setting(
        (0.055, 0.075, 0.1), unit='s', above=0.0,
        help="Standard deviations of the pulses' shape, a Gaussian curve over time, that are tried")
    pulse_instants: int = setting(
        20, at_least=2, at_most=1000,
        help='At how many instants of the time that the widest pulse lasts one may be highest')
    pulse_mean: float = setting(
        0.0, unit='N m', at_least=0.0,
        help='Mean of the amplitudes to either side: pulses near zero are rare if it is large')
    pulse_amplitude: float = setting(
        0.3, unit='N m', above=0.0,
        help='Standard deviation of the amplitudes, around pulse_mean to either side')
    pulse_rate: float = setting(
        0.3, unit='1/s', above=0.0, help='Pulses that a degree of freedom has in a second')
    pulse_least: float = setting(
        0.2, unit='N m', at_least=0.0, help='Amplitude from which a pulse is to be detected')
    pulse_adopted: float = setting(
        0.7, above=0.0, at_most=1.0,
        help='Probability from which a pulse that is over has been one; from then on there may be '
             'another')

    pulse_misfit: float = setting(
        0.05, at_least=0.0,
        help='Share of an estimated pulse that its shape may be wrong by, as a standard deviation')
    force_resolution: float = setting(
        2e-3, unit='N m', at_least=0.0,
        help='Least standard deviation of an estimated force: what the ends of pulses are')

    def record(self):
        """Return the fields of a record PULSES that do not depend on the degree of freedom."""
        return {'time': self.noise_time, 'by_speed': self.noise_speed, 'by_force': self.noise_force,
                'by_jump': self.noise_jump, 'by_power': self.noise_power,
                'limit': self.innovation_limit,
                'lash_force': self.lash_force, 'lash_time': self.lash_time,
                'width': self.pulse_widths,
                'spacing': 2.0 * REACH * max(self.pulse_widths) / self.pulse_instants,
                'amplitude_mean': self.pulse_mean,
                'amplitude_variance': self.pulse_amplitude ** 2, 'rate': self.pulse_rate,
                'adopted': self.pulse_adopted, 'least': self.pulse_least}


@dataclass(frozen=True)
class Pulse:
    """A pulse of an unknown force, Gaussian over time, and how likely it has been.

    coordinate: which degree of freedom; ago: how long ago it was highest [s]; width [s];
    amplitude, deviation: as known forces are given; probability.
    """

    coordinate: int
    ago: float
    width: float
    amplitude: float
    deviation: float
    probability: float

    @classmethod
    def of(cls, p, m, gains):
        """Return the hypothesis m of a record PULSES."""
        k = int(p['of'][m])
        return cls(k, -float(p['ahead'][m]), float(p['wide'][m]), float(p['likely'][m] / gains[k]),
                   float(np.sqrt(p['doubt'][m]) / gains[k]), float(p['probability'][m]))


def per_coordinate(settings, name, count):
    """Return the values of a setting (count): one for each, or one for all.  Raises FilterError."""
    values = getattr(settings, name)
    if len(values) not in (1, count):
        raise FilterError(f'{name}: {len(values)} values, expected 1 or one for each of the '
                          f'{count} degrees of freedom')
    return np.broadcast_to(np.array(values), (count,)).copy()
