"""adaptive_error_ekf_fe: error_ekf_fe that estimates the noise of its plant or of its sensors."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.maximum_likelihood import adapt_maximum_likelihood
from mb_estimators.kernels.sage_husa import adapt_sage_husa, drift
from mb_estimators.kernels.variational_bayes import correct_variational_bayes
from mb_estimators.records.adaptive import ADAPTIVE
from mb_model import setting
from mb_model.arrays import BoolArray, FloatArray

_RANK = 1e-6             # what counts as 0 of directions of length 1


@dataclass(frozen=True)
class AdaptiveErrorEkfFeSettings(ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation that starts with these noises and finds better ones."""

    method: str = setting(
        'maximum_likelihood',
        choices=('maximum_likelihood', 'covariance_matching', 'sage_husa', 'variational_bayes'),
        help='How noises are estimated; covariance_matching is maximum_likelihood in a steady '
             'state; variational_bayes widens and narrows the covariance of each prediction '
             'instead of the noise of the plant')
    adapt: str = setting(
        'plant', choices=('plant', 'sensors', 'both'),
        help='Which noises are estimated; for both, every degree of freedom needs two sensors: the '
             'filter says for which sensors it cannot distinguish them')
    window: int = setting(
        50, at_least=2, at_most=100_000,
        help='Readings of a sensor that the estimated noise rests on: more are smoother, fewer '
             'follow changes sooner')
    nominal_weight: float = setting(
        3.0, at_least=0.1, at_most=1e6,
        help='How many readings the covariance of a prediction counts as that '
             'acceleration_variance gives, for variational_bayes: with fewer, each reading changes '
             'it more')
    floor: float = setting(
        1e-6, above=0.0, at_most=1.0,
        help='Estimated variances stay above this share of those at the start')


class AdaptiveErrorEkfFe(ExactTransition, ForceFilter):
    """The adaptive errorEKF of Rodriguez et al. 2023, Sec. 10.1 (AerrorEKF_FE).

    What acceleration_variance and the sigma of sensors say is where it starts.
    """

    Settings = AdaptiveErrorEkfFeSettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings)
        count, window = len(self._channels), settings.window
        self._start_variances = self._filter['sensor_variance'][:count].copy()
        self._plant = np.empty((window, self._g + 1))
        self._readings = np.empty((window, count))
        self._adaptives = ADAPTIVE.of(self._sizes)
        self._channel_names = [channel for sensor in sensors for channel in sensor.channels]
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g), with the noises of the settings; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        settings, variances, count = self.settings, self._start_variances, len(self._channels)
        self._filter['acceleration_walk'][:self._g] = settings.acceleration_variance / self.dt
        self._filter['sensor_variance'][:count] = variances
        self._plant[:] = settings.acceleration_variance      # all readings of a window before
        self._plant[:, self._g] = self.dt                    # have shown what is known
        self._readings[:] = variances
        self._adaptives[:] = ADAPTIVE.of(self._sizes)
        adaptive = self._adaptives[0]
        adaptive['plant'] = settings.adapt != 'sensors'
        adaptive['sensors'] = settings.adapt != 'plant'
        adaptive['window'] = settings.window
        adaptive['nominal'] = settings.nominal_weight
        adaptive['smallest_walk'] = settings.floor * settings.acceleration_variance / self.dt
        adaptive['smallest_variance'][:count] = settings.floor * variances
        adaptive['shape'] = settings.window / 2.0
        adaptive['scale'][:count] = settings.window / 2.0 * variances

    @property
    def state(self):
        """See ModelFilter.state; also the noises, and the readings that they rest on."""
        return super().state | {'adaptive': self._adaptives, 'plant': self._plant,
                                'readings': self._readings}

    def _step(self, dt):
        self._adaptives['elapsed'] += dt
        if self.settings.method == 'sage_husa':
            drift(self._works, self._filters, self._adaptives, dt)
        return super()._step(dt)

    def _correct(self, readings):
        if self.settings.method == 'variational_bayes':
            return correct_variational_bayes(self._models, self._works, self._channels,
                                             self._filters, self._adaptives, readings)
        status = super()._correct(readings)
        if status == CORRECTED and self._filter['count'] > 0:
            if self.settings.method == 'sage_husa':
                adapt_sage_husa(self._filters, self._adaptives)
            else:
                adapt_maximum_likelihood(
                    self._filters, self._adaptives, self._plant, self._readings,
                    self.settings.method == 'covariance_matching')
        return status

    @property
    def doubt(self):
        """See filter.Doubting: whose noise the last readings do not show beside the plant's."""
        count = int(self._filter['count'])
        if self.settings.adapt != 'both' or count == 0:
            return ''
        there = self._filter['present'][:count]
        mixed = there[confused(self._filter['H'][:count, :self._filter['states']])]
        names = ', '.join(self._channel_names[channel] for channel in mixed)
        if not names:
            return ''
        return f'cannot distinguish the noise of {names} from the noise of the plant'

    @property
    def acceleration_variance(self):
        """Present estimate of the setting of this name, for every degree of freedom (g)."""
        return self._filter['acceleration_walk'][:self._g] * self.dt

    @property
    def sensor_variance(self):
        """Present estimate of the variance of every channel's noise."""
        return self._filter['sensor_variance'][:len(self._channels)].copy()


def confused(H: FloatArray) -> BoolArray:
    """Return of which readings (k) a covariance of the states could be the variances.

    H (k, l).  Innovations have the covariance H P H^T + R: a diagonal of R is known if no symmetric
    P, in its place, makes the same.
    """
    count = len(H)
    lengths = np.linalg.norm(H, axis=1, keepdims=True)
    H = H / np.where(lengths > 0.0, lengths, 1.0)
    seen, strength, _ = np.linalg.svd(H, full_matrices=False)
    seen = seen[:, strength > _RANK * strength.max(initial=0.0)]
    upper, rank = np.triu_indices(count), seen.shape[1]
    states = [np.outer(seen[:, i], seen[:, j]) + np.outer(seen[:, j], seen[:, i])
              for i in range(rank) for j in range(i + 1)]
    noises = [np.diag(row) for row in np.eye(count)]
    equations = np.array([matrix[upper] for matrix in (*noises, *states)]).T
    _, strength, modes = np.linalg.svd(equations)
    same = modes[np.sum(strength > _RANK * strength[0]):, :count]
    return np.abs(same).max(axis=0, initial=0.0) > _RANK
