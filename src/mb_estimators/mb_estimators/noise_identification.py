"""Noise of plant and sensors from how the innovations of a filter follow one another (Mehra)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import nnls
from scipy.stats import t as student

from mb_estimators.filter import FilterError
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.error_ekf_ej import ErrorEkfEjSettings, ExactErrors
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import ExactTransition
from mb_estimators.observation import corrected
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import Sensor


class Correlation:
    """Covariances of the innovations of a filter as linear functions of unknown noises.

    The error e of a prediction goes on as F (I - K H) e - F K v + w whatever gain K the filter has,
    and its innovation is H e + v.  Noises: the density of the plant noise, then the variance of
    each sensor; before them what is known, the covariance of the start and the walk of biases.
    Source: Mehra 1970, Sec. III.
    """

    def __init__(self, start: FloatArray, owner: IntArray, lags: int) -> None:
        """Begin with the covariance of the start (l, l).

        owner: the sensor of each channel; lags: for how long innovations are compared.
        """
        self._count = 2 + int(owner.max()) + 1
        self._noise = np.zeros((self._count, len(owner), len(owner)))     # of readings, of a unit
        for channel, sensor in enumerate(owner):
            self._noise[2 + sensor, channel, channel] = 1.0
        self._errors = np.zeros((self._count, *start.shape))    # covariance of e, of a unit of each
        self._errors[0] = start
        size, channels = len(start), len(owner)
        # of the last instants: covariance of e now with their innovations, these, their weights
        self._crossed = np.zeros((0, self._count, size, channels))
        self._past = np.zeros((0, 2, channels))
        self._lags = lags

    def advance(self, F: FloatArray, unit_noise: FloatArray, known_noise: FloatArray) -> None:
        """Move the errors on by a transition F (l, l) with noises (l, l)."""
        self._errors = F @ self._errors @ F.T
        self._errors[0] += known_noise
        self._errors[1] += unit_noise
        self._crossed = F @ self._crossed

    def observe(self, y: FloatArray, weight: FloatArray, H: FloatArray,
                K: FloatArray) -> FloatArray:
        """Take in an innovation (channels) of H (channels, l) and a gain K.

        weight: one over its expected deviation, 0 where a channel has no reading, as H and K are.
        Returns its normal equations (p, p + 1) of all noises that are not known, by the products of
        the innovation with itself and the past ones.
        """
        noise = self._noise * np.outer(weight > 0.0, weight > 0.0)
        own = H @ self._errors @ H.T + noise
        now = np.concatenate([own[np.newaxis], H @ self._crossed])
        products = np.concatenate([np.outer(y, y)[np.newaxis],
                                   y[:, np.newaxis] * self._past[:, 0][:, np.newaxis, :]])
        weights = np.concatenate([np.outer(weight, weight)[np.newaxis],
                                  weight[:, np.newaxis] * self._past[:, 1][:, np.newaxis, :]])
        rows = (now * weights[:, np.newaxis]).swapaxes(0, 1).reshape(self._count, -1)
        target = (products * weights).ravel() - rows[0]
        left = np.eye(len(K)) - K @ H
        crossed = self._errors @ H.T - K @ own
        self._crossed = np.concatenate([crossed[np.newaxis], left @ self._crossed])[:self._lags]
        self._past = np.concatenate([np.array([[y, weight]]), self._past])[:self._lags]
        self._errors = left @ self._errors @ left.T + K @ noise @ K.T
        return np.column_stack([rows[1:] @ rows[1:].T, rows[1:] @ target])


_BLOCKS = 20             # of a recording, one of which is left out in turn
_LEAST = 0.1             # share of a noise that a pass leaves for the gain of the next
_LEVEL = 0.975           # of the quantile, for intervals of 95 %


@dataclass(frozen=True)
class NoiseSettings(Settings):
    """How noises are identified."""

    lags: int = setting(
        30, at_least=1, at_most=1000,
        help='Instants over which innovations are compared: as long as the filter remembers')
    settling: float = setting(
        1.0, unit='s', at_least=0.0,
        help='Time at the start of which nothing is learnt, the start being unknown')
    passes: int = setting(
        4, at_least=1, at_most=100,
        help='Passes over the recording, each with the noise of the last')
    acceleration_psd: float = setting(
        9.162e-2, unit='rad^2/s^3', above=0.0, help='Where the noise of the plant begins')
    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Of position and velocity at the start')


@dataclass(frozen=True)
class IdentifiedNoise:
    """Noise of a plant and its sensors, and how certain it is.

    acceleration_psd [rad^2/s^3]; variances: sensor -> variance of its noise; intervals: of all,
    with 95 %, 'acceleration_psd' among them; change: the largest share by which the last pass has
    changed any of them.
    """

    acceleration_psd: float
    variances: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    change: float


class _TracedEkf(ExactErrors, ExactTransition, ModelFilter):
    """An error_ekf_ej that notes the transition since the last correction, and its unit noise."""

    def begin(self):
        size = len(self.layout)
        self.transition, self.unit_noise = np.eye(size), np.zeros((size, size))
        self.bias_noise = np.zeros((size, size))

    def _step(self, dt: float) -> bool:
        if not super()._step(dt):
            return False
        g, size = self._g, len(self.layout)
        F = self._filter['transition'][:size, :size]
        unit, walk = np.zeros((2, size, size))
        # white noise over the step: Rodriguez et al. 2023, Eq. (107)
        unit[:2 * g, :2 * g] = np.kron([[dt ** 3 / 3.0, dt ** 2 / 2.0], [dt ** 2 / 2.0, dt]],
                                       np.eye(g))
        biases = len(self._biases)
        walk[2 * g:, 2 * g:] = np.diag(self._filter['bias_walk'][:biases] * dt)
        self.transition = F @ self.transition
        self.unit_noise = F @ self.unit_noise @ F.T + unit
        self.bias_noise = F @ self.bias_noise @ F.T + walk
        return True

    def observation(self):
        """Return innovation, one over its deviation, H and gain of the last correction.

        0 for channels without a reading.
        """
        size, channels, f = len(self.layout), len(self._channels), self._filter
        y, weight = np.zeros((2, channels))
        H, K = np.zeros((channels, size)), np.zeros((size, channels))
        there, count = f['present'][:f['count']], f['count']
        y[there] = f['residual'][:count]
        weight[there] = f['residual_covariance'].diagonal()[:count] ** -0.5
        H[there], K[:, there] = f['H'][:count, :size], f['gain'][:size, :count]
        return y, weight, H, K


def identify_noise(mechanism: Mechanism, sensors: Sequence[Sensor], recording: Recording, dt: float,
                   **settings: Any) -> IdentifiedNoise:
    """Return the IdentifiedNoise of error_ekf_ej by the readings of a Recording, offline.

    The covariances of innovations at all lags are linear in the noises, whatever the filter's gain
    is: they are fitted to the products of innovations by least squares.  Mehra 1970; in the form
    for systems that change, Odelson, Rajamani and Rawlings 2006.  Intervals are by a jackknife
    over parts of the recording.  dt: longest step of the model [s]; settings: of NoiseSettings.
    Raises FilterError where the readings do not determine the noises, SettingError,
    DivergenceError.
    """
    chosen = NoiseSettings.from_mapping(settings)
    sensors, psd = list(sensors), chosen.acceleration_psd
    noises, interval, change = np.array([]), np.empty((2, 0)), np.inf
    for _ in range(chosen.passes):
        before = np.array([psd, *(sensor.settings.variance for sensor in sensors)])
        noises, interval = _one_pass(mechanism, sensors, recording, dt, psd, chosen)
        kept = np.maximum(noises, _LEAST * before)
        change = float(np.abs(kept / before - 1.0).max())
        psd = float(kept[0])
        sensors = [sensor.with_settings(replace(sensor.settings, sigma=float(np.sqrt(variance))))
                   for sensor, variance in zip(sensors, kept[1:], strict=True)]
    names = [sensor.name for sensor in sensors]
    ends = [(float(low), float(high)) for low, high in interval.T]
    return IdentifiedNoise(
        float(noises[0]), dict(zip(names, noises[1:].tolist(), strict=True)),
        dict(zip(('acceleration_psd', *names), ends, strict=True)), change)


def _one_pass(mechanism, sensors, recording, dt, psd, settings):
    """Return the noises (1 + sensors) that innovations show, and their intervals (2, ...)."""
    filter_ = _TracedEkf(mechanism, sensors, dt, ErrorEkfEjSettings(
        acceleration_psd=psd, initial_variance=settings.initial_variance, gate=0.0))
    filter_.begin()
    owners = SensorChannels(sensors).owners
    correlation = Correlation(filter_.state_covariance, owners, settings.lags)
    sums = []
    for k, innovation in enumerate(corrected(
            filter_, recording.stamps, recording.readings, dt, recording.inputs)):
        if innovation is None or not len(innovation.channels):
            continue
        correlation.advance(filter_.transition, filter_.unit_noise, filter_.bias_noise)
        equations = correlation.observe(*filter_.observation())
        filter_.begin()
        if recording.t[k] >= settings.settling:
            sums.append(equations)
    if len(sums) < _BLOCKS:
        raise FilterError(f'{len(sums)} instants after {settings.settling:g} s: expected at least '
                          f'{_BLOCKS}')
    return jackknife(np.array_split(np.array(sums), _BLOCKS))


def jackknife(blocks: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Return the noises (p) by normal equations (k, p, p + 1) in blocks, and intervals (2, p).

    Raises FilterError where the equations do not determine them.
    """
    parts = np.array([block.sum(axis=0) for block in blocks])
    whole = parts.sum(axis=0)
    scale = np.sqrt(np.diagonal(whole[:, :-1]))
    if (scale == 0.0).any() or np.linalg.cond(
            whole[:, :-1] / np.outer(scale, scale)) > 1e12:
        raise FilterError('the readings do not determine the noises of plant and sensors: fewer '
                          'of them, or more sensors, are needed')
    noises = _solved(whole)
    without = np.array([_solved(whole - part) for part in parts])
    count = len(parts)
    deviations = np.sqrt((count - 1) / count * np.sum(
        (without - without.mean(axis=0)) ** 2, axis=0))
    reach = student.ppf(_LEVEL, count - 1) * deviations
    return noises, np.array([np.maximum(noises - reach, 0.0), noises + reach])


def _solved(equations):
    """Return the noises >= 0 of the least squares of normal equations (p, p + 1)."""
    A, b = equations[:, :-1], equations[:, -1]
    scale = np.sqrt(np.diagonal(A))
    factor = np.linalg.cholesky(A / np.outer(scale, scale))
    return nnls(factor.T, np.linalg.solve(factor, b / scale))[0] / scale
