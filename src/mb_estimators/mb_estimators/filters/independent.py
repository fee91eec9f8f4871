"""What filters of the independent coordinates share: states, plant noise, biases, correction."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.channels import write_biases
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.kernels.biases import walk_biases
from mb_estimators.kernels.correction import correct
from mb_estimators.records.filter import FILTER
from mb_model.settings import Settings, setting


@dataclass(frozen=True)
class FormSettings(Settings):
    """Of filters with two forms, which have the same estimates."""

    form: str = setting(
        'error', choices=('error', 'direct'),
        help='What the states are: errors of the motion of the model, zero after every '
             'correction, or that motion itself (Rodriguez et al. 2023, Sec. 7.4); the estimates '
             'are the same')


class IndependentFilter(ModelFilter):
    """A filter of the independent coordinates z and velocities zd, its first states (2g).

    A plugin adds its settings, derived from ModelFilterSettings, its plant noise and its step.
    """

    _record = FILTER
    _orders = 2                         # states of motion of each degree of freedom
    _kernel = staticmethod(correct)

    def _set_up(self, record):
        record['motion'] = self._states = self._covariance_size
        write_biases(record, self.sensors, self._biases)
        record['direct'] = (isinstance(self.settings, FormSettings)
                            and self.settings.form == 'direct')
        self._set_plant_noise(record)

    @abstractmethod
    def _set_plant_noise(self, record):
        """Write the plant noise of the settings to the FILTER record."""

    @property
    def _covariance_size(self):
        return self._orders * self._g

    def _set_covariance(self, covariance):
        size = self._states
        if covariance is None:
            covariance = np.eye(size) * self.settings.initial_variance
        self._filter['P'] = 0.0
        self._filter['P'][:size, :size] = covariance
        for b, settings in enumerate(self._biases.values(), int(self._filter['motion'])):
            self._filter['P'][b, b] = settings.bias_sigma ** 2
        self._filter['bias'] = 0.0

    def predict(self, dt, inputs=None):
        """Move the state on by dt [s]; see ModelFilter.predict."""
        super().predict(dt, inputs)
        if self._biases:
            self._walk_biases(dt)

    def _walk_biases(self, dt):
        """Let the biases walk for dt [s]."""
        walk_biases(self._filters, dt)

    @property
    def state_covariance(self):
        """The covariance of all states, biases included (l, l)."""
        f = self._filter
        return f['P'][:f['states'], :f['states']].copy()

    @property
    def correction(self):
        """What the last correction has added to all states (l)."""
        f = self._filter
        return f['dx'][:f['states']].copy() if f['count'] else np.zeros(f['states'])

    def _bind(self):
        super()._bind()
        size = self._covariance_size
        self._P_of_motion = self._filter['P'][:size, :size]

    def _covariance(self):
        return self._P_of_motion.copy()

    def _bias_deviations(self):
        first = int(self._filter['motion'])
        return np.sqrt(self._filter['P'].diagonal()[first:first + len(self._biases)])
