"""A part of filters of forces: the noise of their plant, or of their sensors, is estimated too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError, Innovation
from mb_estimators.filters.channels import unbiased_channels
from mb_estimators.kernels.adaptation import (
    ADAPTIVE,
    adapt_maximum_likelihood,
    adapt_sage_husa,
    correct_variational_bayes,
    drift,
)
from mb_estimators.kernels.correction import CORRECTED
from mb_model import Settings, setting
from mb_model.arrays import BoolArray, FloatArray
from mb_sensors import Sensor

_RANK = 1e-6             # what counts as 0 of directions of length 1


def confused(H: FloatArray) -> BoolArray:
    """Return of which readings (k) a covariance of the states could be the variances.

    H (k, l).  Innovations have the covariance H P H^T + R: a diagonal of R is known if no symmetric
    P, in place of R, makes the same.
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


def confused_means(H: FloatArray, g: int, centred: BoolArray) -> BoolArray:
    """Return of which readings (k) a motion could be the mean noise, among the centred ones.

    H (k, l), of states that begin with z, zd and, if they are states, zdd (g each).  It asks for
    motions with constant acceleration, all else constant, which change the readings as constants
    do: where H or the accelerations change with the motion, a mean can be found nevertheless.
    """
    count, states = H.shape
    lengths = np.linalg.norm(H, axis=1, keepdims=True)
    H = H / np.where(lengths > 0.0, lengths, 1.0)
    means = np.eye(count)[:, centred]
    chain = np.eye(states + means.shape[1])
    for i in range(2 * g):
        if i + g < min(states, 3 * g):
            chain[i, i + g] = 1.0
    rows = [np.hstack([H, means])]
    for _ in range(2):
        rows.append(rows[-1] @ chain)
    _, strength, modes = np.linalg.svd(np.vstack(rows))
    hidden = modes[np.sum(strength > _RANK * strength.max(initial=0.0)):, states:]
    mixed = np.zeros(count, bool)
    mixed[centred] = np.abs(hidden).max(axis=0, initial=0.0) > _RANK
    return mixed


@dataclass(frozen=True)
class AdaptationSettings(Settings):
    """How noises are estimated, which start as other settings have them."""

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
    centred_sensors: tuple[str, ...] = setting(
        (), help='Sensors of whose noise the mean is estimated, too, by sage_husa with adapt '
                 'sensors or both')
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


class NoiseAdaptation:
    """Of a ForceFilter with AdaptationSettings.  Source: Rodriguez et al. 2023, Sec. 10.1.

    What other settings say of noises, as the sigma of sensors does, is where it starts.  Stands
    before the ForceFilter among the bases of a class.
    """

    def _prepare(self: Any) -> None:
        super()._prepare()  # type: ignore[misc]
        self._centred = _centred_channels(self.sensors, self.settings)
        count, window = len(self._channels), self.settings.window
        self._plant = np.empty((window, self._g + 1))
        self._readings = np.empty((window, count))
        self._adaptives = ADAPTIVE.of(self._sizes)
        self._channel_names = [channel for sensor in self.sensors
                               for channel in sensor.channels]
        self._own_records |= {'adaptive': self._adaptives, 'plant': self._plant,
                              'readings': self._readings}

    def reset(self: Any, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g), with the noises of the settings; see ModelFilter.reset."""
        super().reset(z, zd, covariance)  # type: ignore[misc]
        settings, count = self.settings, len(self._channels)
        plant, variances = self._white_noises()
        self._filter['acceleration_walk'][:self._g] = plant / self.dt
        self._filter['sensor_variance'][:count] = variances
        self._plant[:, :self._g] = plant                     # all readings of a window before
        self._plant[:, self._g] = self.dt                    # have shown what is known
        self._readings[:] = variances
        self._adaptives[:] = ADAPTIVE.of(self._sizes)
        adaptive = self._adaptives[0]
        adaptive['plant'] = settings.adapt != 'sensors'
        adaptive['sensors'] = settings.adapt != 'plant'
        adaptive['window'] = settings.window
        adaptive['nominal'] = settings.nominal_weight
        adaptive['smallest_walk'][:self._g] = settings.floor * plant / self.dt
        adaptive['smallest_variance'][:count] = settings.floor * variances
        adaptive['shape'] = settings.window / 2.0
        adaptive['scale'][:count] = settings.window / 2.0 * variances
        adaptive['centred'][self._centred] = 1

    def _step(self: Any, dt: float) -> bool:
        self._adaptives['elapsed'] += dt
        if self.settings.method == 'sage_husa':
            drift(self._works, self._filters, self._adaptives, dt)
        return super()._step(dt)  # type: ignore[misc]

    def _correct(self: Any, readings: FloatArray) -> int:
        if self.settings.method == 'variational_bayes':
            return correct_variational_bayes(self._models, self._works, self._channels,
                                             self._filters, self._adaptives, readings)
        if self._centred:
            readings = readings - self.sensor_mean
        status = super()._correct(readings)  # type: ignore[misc]
        if status == CORRECTED and self._filter['count'] > 0:
            if self.settings.method == 'sage_husa':
                adapt_sage_husa(self._filters, self._adaptives)
            else:
                adapt_maximum_likelihood(
                    self._filters, self._adaptives, self._plant, self._readings,
                    self.settings.method == 'covariance_matching')
        return status

    def correct_widened(self: Any, readings: ArrayLike, added: ArrayLike) -> Innovation:
        """See filter.Widening; the distribution of a noise is as much wider meanwhile."""
        adaptive, count = self._adaptives[0], len(self._channels)
        scale, shape = adaptive['scale'][:count], adaptive['shape'][:count]
        before, wide = (scale.copy(), shape.copy()), np.greater(added, 0.0)
        scale *= 1.0 + np.asarray(added) / self.sensor_variance
        try:
            return super().correct_widened(readings, added)  # type: ignore[misc]
        finally:
            scale[wide], shape[wide] = before[0][wide], before[1][wide]

    @property
    def doubt(self: Any) -> str:
        """See filter.Doubting: which noises or means the last readings do not show."""
        count = int(self._filter['count'])
        there = self._filter['present'][:count]
        H = self._filter['H'][:count, :self._filter['states']]
        doubts = []
        if self.settings.adapt == 'both' and count > 0:
            doubts.append((there[confused(H)], 'noise', 'noise of the plant'))
        if self._centred and count > 0:
            doubts.append((there[confused_means(H, self._g, np.isin(there, self._centred))],
                           'mean noise', 'motion'))
        return '; '.join(
            f'cannot distinguish the {what} of '
            f'{", ".join(self._channel_names[channel] for channel in mixed)} from the {other}'
            for mixed, what, other in doubts if len(mixed) > 0)

    @property
    def acceleration_variance(self: Any) -> FloatArray:
        """Present estimate of the setting of this name, for every degree of freedom (g)."""
        return self._filter['acceleration_walk'][:self._g] * self.dt

    @property
    def sensor_variance(self: Any) -> FloatArray:
        """Present estimate of the variance of every channel's noise."""
        return self._filter['sensor_variance'][:len(self._channels)].copy()

    @property
    def sensor_mean(self: Any) -> FloatArray:
        """Present estimate of the mean of every channel's noise; 0 if it is not estimated."""
        return self._adaptives[0]['mean'][:len(self._channels)].copy()


def _centred_channels(sensors: Sequence[Sensor], settings: AdaptationSettings) -> list[int]:
    """Return the channels of whose noise the mean is estimated.  Raises FilterError."""
    key, names = 'centred_sensors', settings.centred_sensors
    if names and (settings.method != 'sage_husa' or settings.adapt == 'plant'):
        raise FilterError(f'{key}: means are found by method sage_husa with adapt sensors or both, '
                          f'not by {settings.method} with {settings.adapt}')
    for sensor in sensors:
        if sensor.name in names and sensor.is_rotation:
            raise FilterError(f'{key}: {sensor.name}: no mean of the noise of an {sensor.kind} is '
                              'estimated')
    return unbiased_channels(sensors, key, names)
