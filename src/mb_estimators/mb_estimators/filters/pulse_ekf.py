"""pulse_ekf: error_ekf_fe for unknown forces that are zero but for pulses."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.estimated_force import ForceFilter
from mb_estimators.filters.pulses import Pulse, PulseSettings, per_coordinate
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.kernels.pulse_steps import correct_pulses, follow_with_effects, predict_pulses
from mb_estimators.kernels.pulses import PULSES


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

    _walks = False

    def _prepare(self):
        super()._prepare()
        settings, g, widths = self.settings, self._g, self.settings.pulse_widths
        each = settings.pulse_instants + 2
        self._names = tuple(f'pulse on {name}' for name in self.mechanism.independent)
        self._pulses = PULSES.of(self._sizes | {
            'hypotheses': each * g * len(widths), 'widths': len(widths)})
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

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) without a force; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        p = self._pulses[0]
        for name in ('alive', 'since', 'slow', 'jump', 'known', 'loaded', 'mean', 'square',
                     'active', 'ended', 'adopted_now'):
            p[name] = 0
        p['since'] = p['spacing']

    @property
    def state(self):
        """See ModelFilter.state; also the hypotheses."""
        return super().state | {'pulses': self._pulses}

    def _hold(self, inputs):
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

    def _follow(self):
        super()._follow()
        if self._orientations.moved:
            follow_with_effects(self._pulses, self._g, self._orientations.places,
                                self._orientations.changes)

    def _step(self, dt):
        self._force[:] *= np.exp(-dt / self.settings.noise_time)
        self._forces_on_z += self._force
        return predict_pulses(self._models, self._works, self._filters, self._pulses, dt)

    def _correct(self, readings):
        return correct_pulses(self._models, self._works, self._channels, self._filters,
                              self._pulses, readings)

    def _further_estimates(self):
        p = self._pulses[0]
        force, variance = p['mean'] / self._gains, p['square'] - p['mean'] ** 2
        return super()._further_estimates() | {'forces': force, 'force_deviations': self._spread(
            force, np.maximum(variance, 0.0) / self._gains ** 2),
            'hypotheses': self._names, 'hypothesis_probabilities': self.pulse_probability}

    def _spread(self, force, variance):
        """Return the deviation of a force of pulses, whose shapes are known roughly."""
        s = self.settings
        return np.sqrt(variance + (s.pulse_misfit * force) ** 2 + s.force_resolution ** 2)

    def force_before(self, lag):
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
