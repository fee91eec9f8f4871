"""pulse_ekf: error_ekf_fe for unknown forces that are zero but for pulses."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.channels import channel_variances
from mb_estimators.filters.estimated_force import ForceFilter
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.kernels.pulse_steps import correct_pulses, follow_with_effects, predict_pulses
from mb_estimators.kernels.pulses import PULSES
from mb_model import Settings, setting
from mb_model.arrays import FloatArray

REACH = 3.0           # widths to either side that a pulse lasts, as in kernels.pulses


@dataclass(frozen=True)
class PulseSettings(Settings):
    """Which pulses of an unknown force are expected, and how noisy the known ones are."""

    force_gains: tuple[float, ...] = setting(
        (1.0,), above=0.0, one_for_all=True,
        help='How much of a known force acts: of each degree of freedom, or one for all.  An '
             'estimated force is in the unit of the known ones')
    force_asymmetries: tuple[float, ...] = setting(
        (0.0,), above=-1.0, at_most=0.99, one_for_all=True,
        help='Share of the gain by which a positive known force does more, and a negative one '
             'less: of each degree of freedom, or one for all')
    force_growths: tuple[float, ...] = setting(
        (0.0,), unit='s^2/rad^2', at_least=0.0, one_for_all=True,
        help='Share of the gain by which a known force does more, by the square of the velocity: '
             'of each degree of freedom, or one for all')
    force_losses: tuple[float, ...] = setting(
        (0.0,), at_least=0.0, one_for_all=True,
        help='Share of a known force that rubs in its gear: of each degree of freedom, or one for '
             'all')
    loss_velocity: float = setting(
        0.1, unit='rad/s', above=0.0, help='Velocity from which gears rub fully')
    gear_lashes: tuple[float, ...] = setting(
        (0.0,), unit='rad', at_least=0.0, one_for_all=True,
        help='How far a motor leads its joint under load, half of what its gear has of lash; '
             'encoders read the angle of the motor: of each degree of freedom, or one for all')
    lash_force: float = setting(
        0.35, unit='N m', above=0.0, help='Known force from which the lash is taken up')
    lash_time: float = setting(
        6e-3, unit='s', above=0.0, help='Time that it takes to cross the lash')
    noise_deviations: tuple[float, ...] = setting(
        (0.05,), unit='N m', above=0.0, one_for_all=True,
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
    def of(cls, p, m, gains: FloatArray):
        """Return the hypothesis m of a record PULSES."""
        k = int(p['of'][m])
        return cls(k, -float(p['ahead'][m]), float(p['wide'][m]), float(p['likely'][m] / gains[k]),
                   float(np.sqrt(p['doubt'][m]) / gains[k]), float(p['probability'][m]))


def per_coordinate(settings: Any, name: str, count: int):
    """Return the values of a setting (count): one for each, or one for all.  Raises FilterError."""
    values = getattr(settings, name)
    if len(values) not in (1, count):
        raise FilterError(f'{name}: {len(values)} values, expected 1 or one for each of the '
                          f'{count} degrees of freedom')
    return np.broadcast_to(np.array(values), (count,)).copy()


@dataclass(frozen=True)
class PulseEkfSettings(PulseSettings, ModelFilterSettings):
    """Error-state EKF that finds pulses of an unknown force in the noise of drives and friction."""


class PulseEkf(ForceFilter):
    """The error-state EKF with force estimation of Rodriguez et al. 2023, Sec. 7.3, and pulses.

    States: errors of z, zd, zdd; the errors of zdd are a coloured force, what drives and friction
    do that the model does not.  Beside it hypotheses go along, each of one pulse of an unknown
    force; the estimated force is their mean over all.  The motion is the one without pulses that
    are not over.
    """

    Settings = PulseEkfSettings

    def _white_noises(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(self._g), channel_variances(self.sensors)       # the force is coloured

    def _prepare(self) -> None:
        super()._prepare()
        settings, g, widths = self.settings, self._g, self.settings.pulse_widths
        each = settings.pulse_instants + 2
        self._names = tuple(f'pulse on {name}' for name in self.mechanism.independent)
        self._pulses = PULSES.of(self._sizes | {
            'hypotheses': each * g * len(widths), 'widths': len(widths)})
        self._own_records['pulses'] = self._pulses
        p = self._pulses[0]
        for name, value in settings.record().items():
            p[name] = value
        p['variance'] = np.square(per_coordinate(settings, 'noise_deviations', g))
        p['lash'] = per_coordinate(settings, 'gear_lashes', g)
        p['at_motor'] = [sensor.is_encoder for sensor in self.sensors for _ in sensor.channels]
        self._gains = per_coordinate(settings, 'force_gains', g)
        self._asymmetries = per_coordinate(settings, 'force_asymmetries', g)
        self._growths = per_coordinate(settings, 'force_growths', g)
        self._losses = per_coordinate(settings, 'force_losses', g)

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without a force; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        p = self._pulses[0]
        for name in ('alive', 'since', 'slow', 'jump', 'known', 'loaded', 'mean', 'square',
                     'active', 'ended', 'adopted_now'):
            p[name] = 0
        p['since'] = p['spacing']

    def _hold(self, inputs: ArrayLike | None) -> None:
        """Let known forces (g) act on z: with their gains, less what gears lose of them."""
        known = np.zeros(self._g) if inputs is None else np.asarray(inputs, dtype=float)
        if known.shape != (self._g,):
            raise FilterError(f'inputs: {known.size} must be {self._g}')
        self._pulses[0]['known'] = known
        velocity, size = self._work['zd'][:self._g], np.abs(known)
        direction = np.tanh(velocity / self.settings.loss_velocity)
        self._forces_on_z[:] = (
            self._gains * (known * (1.0 + self._growths * velocity ** 2)
                           + self._asymmetries * size) - self._losses * size * direction)

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            follow_with_effects(self._pulses, self._g, self._orientations.indices,
                                self._orientations.changes)

    def _step(self, dt: float) -> bool:
        self._force[:] *= np.exp(-dt / self.settings.noise_time)
        self._forces_on_z += self._force
        return predict_pulses(self._models, self._works, self._filters, self._pulses, dt)

    def _correct(self, readings: FloatArray) -> int:
        return correct_pulses(self._models, self._works, self._channels, self._filters,
                              self._pulses, readings)

    def _further_estimates(self) -> dict[str, Any]:
        p = self._pulses[0]
        force, variance = p['mean'] / self._gains, p['square'] - p['mean'] ** 2
        return super()._further_estimates() | {'forces': force, 'force_deviations': self._spread(
            force, np.maximum(variance, 0.0) / self._gains ** 2),
            'hypotheses': self._names, 'hypothesis_probabilities': self.pulse_probability}

    def _spread(self, force: FloatArray, variance: float):
        """Return the deviation of a force of pulses, whose shapes are known roughly."""
        s = self.settings
        return np.sqrt(variance + (s.pulse_misfit * force) ** 2 + s.force_resolution ** 2)

    def force_before(self, lag: float) -> tuple[FloatArray, FloatArray]:
        """Return the force of pulses that was on `lag` [s] ago, and its deviation (g each).

        By the hypotheses that go on or have ended in the last correction: a pulse that
        ended earlier is in `ended_pulses` of that time.
        """
        p, g = self._pulses[0], self._g
        there = p['alive'] == 1
        there[p['ended_one'][:p['ended']]] = True
        size = np.exp(-0.5 * ((p['ahead'][there] + lag) / p['wide'][there]) ** 2)
        mean, variance = p['likely'][there], p['doubt'][there]
        weight = p['probability'][there] * size
        total = np.bincount(p['of'][there], weight * mean, g) / self._gains
        square = np.bincount(p['of'][there], weight * size * (mean ** 2 + variance), g)
        square = square / self._gains ** 2
        return total, self._spread(total, np.maximum(square - total ** 2, 0.0))

    @property
    def pulse_probability(self):
        """The probability that a pulse of at least pulse_least is on, of each z (g)."""
        return self._pulses[0]['active'].copy()

    @property
    def ended_pulses(self):
        """The hypotheses on pulses that the last correction has ended, a list of Pulse."""
        p = self._pulses[0]
        return [Pulse.of(p, m, self._gains) for m in p['ended_one'][:p['ended']]]
