"""What filters of the independent coordinates share: workspaces, start, correction, estimate."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf

import numpy as np

from mb_estimators.filter import (
    DivergenceError,
    Estimate,
    FilterError,
    ImpossibleReadingError,
    Innovation,
)
from mb_estimators.filters.channels import channel_biases, channel_records, channel_variances
from mb_estimators.kernels.biases import walk_biases
from mb_estimators.kernels.correction import IMPOSSIBLE, NOT_POSITIVE, SINGULAR, correct
from mb_estimators.kernels.start import start
from mb_estimators.record import FILTER
from mb_model.settings import Settings, setting

_DIVERGED = {SINGULAR: 'the mechanism is in a singular position',
             NOT_POSITIVE: 'the covariance is not positive definite'}


@dataclass(frozen=True)
class IndependentSettings(Settings):
    """What all filters of independent coordinates can be told."""

    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Initial variance of every state')
    gate: float = setting(
        30.0, at_least=0.0,
        help='Readings farther from the prediction than so many standard deviations are left out; '
             '0 leaves none out')


class IndependentFilter(ABC):
    """A filter of the independent coordinates z and velocities zd, its first states (2g).

    A plugin adds its settings, derived from IndependentSettings, its plant noise and its step.
    """

    _orders = 2                         # states of motion of each degree of freedom
    _estimates_biases = True            # where sensors ask for it
    _direct = False                     # or errors of them
    _correct = staticmethod(correct)    # kernel

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        self.settings = settings
        self.mechanism = mechanism
        self.sensors = tuple(sensors)
        self.dt = dt
        g = len(mechanism.independent)
        self._g, self._n = g, len(mechanism.coordinates)
        self._models, self._works = mechanism.model, mechanism.new_work()
        self._channels = channel_records(sensors)
        self._filters = np.zeros(1, FILTER)
        self._bind()
        self._filter['motion'] = self._states = self._orders * g
        self._set_up_biases(self._filter)
        self._filter['direct'] = self._direct
        self._set_plant_noise(self._filter)
        self._filter['gate'] = settings.gate
        self._filter['dt'] = dt
        self._filter['sensor_variance'][:len(self._channels)] = channel_variances(sensors)
        self.reset(mechanism.z0, mechanism.zd0)

    @abstractmethod
    def _set_plant_noise(self, record):
        """Write the plant noise of the settings to the FILTER record."""

    def _bind(self):
        """Make the views of the only model state and filter record."""
        self._work, self._filter = self._works[0], self._filters[0]

    def __getstate__(self):
        return {name: value for name, value in vars(self).items()
                if name not in ('_work', '_filter')}

    def __setstate__(self, state):
        vars(self).update(state)
        self._bind()      # copied views would be arrays of their own

    def _set_up_biases(self, record):
        """Make the biases of the channels, where they are to be estimated, the last states."""
        self._biases = channel_biases(self.sensors)
        if self._biases and not self._estimates_biases:
            raise FilterError(f'{next(iter(self._biases))}: this filter estimates no biases of '
                              'sensors, bias_sigma must be 0')
        names = [name for sensor in self.sensors for name in sensor.channels]
        order = list(self._biases)
        record['bias_of'][:len(names)] = [
            order.index(name) if name in order else -1 for name in names]
        record['biases'] = len(order)
        record['states'] = record['motion'] + len(order)
        record['bias_walk'][:len(order)] = [
            settings.bias_walk ** 2 for settings in self._biases.values()]

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) on the branch of the mechanism file; covariance of those states.

        Raises FilterError if that is no covariance, and what Mechanism.assemble raises.
        """
        size = self._states
        if covariance is None:
            covariance = np.eye(size) * self.settings.initial_variance
        q = self.mechanism.assemble(z)
        self._filter['P'] = 0.0
        self._filter['P'][:size, :size] = _checked_covariance(covariance, size)
        for b, settings in enumerate(self._biases.values(), size):
            self._filter['P'][b, b] = settings.bias_sigma ** 2
        self._filter['bias'] = 0.0
        self._filter['force'] = 0.0
        self._work['q'][:self._n] = q
        self._work['zd'][:self._g] = zd
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position')

    def predict(self, dt, inputs=None):
        """Move the state on by dt [s], under known forces on z (g); see Filter.predict."""
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        self._work['forces'][:self._g] = 0.0 if inputs is None else inputs
        self._work['forces'] += self._filter['force']
        if not self._step(dt):
            raise DivergenceError('the model has no position, or no covariance, to step to')
        if self._biases:
            walk_biases(self._filters, dt)

    @abstractmethod
    def _step(self, dt):
        """Predict model and covariance over dt [s]; return False if the model cannot step."""

    def correct(self, readings):
        """Take in the readings of all channels, NaN where there is none; see Filter.correct."""
        readings = np.asarray(readings, dtype=np.float64)
        if readings.shape != self._channels.shape:
            raise ValueError(f'readings: {readings.size} must be {self._channels.size}')
        status = self._correct(self._models, self._works, self._channels, self._filters, readings)
        if status == IMPOSSIBLE:
            raise ImpossibleReadingError('no position of the mechanism fits them')
        if status:
            raise DivergenceError(_DIVERGED[status])
        f = self._filter
        k = f['count']
        return Innovation(
            f['present'][:k].copy(), f['residual'][:k].copy(),
            f['residual_covariance'][:k, :k].copy(), float(f['nis']),
            f['rejected'][:f['rejected_count']].copy())

    @property
    def estimate(self):
        """The present Estimate."""
        g, n, work = self._g, self._n, self._work
        return Estimate(
            work['z'][:g].copy(), work['zd'][:g].copy(), work['zdd'][:g].copy(),
            work['q'][:n].copy(), work['qd'][:n].copy(), work['qdd'][:n].copy(),
            self._covariance(), self._forces(), **self._bias_estimate())

    def _covariance(self):
        """Return the covariance of what is estimated."""
        return self._filter['P'][:self._states, :self._states].copy()

    def _bias_estimate(self):
        """Return biases and their deviations by channel, nothing if none are estimated."""
        if not self._biases:
            return {}
        f, places = self._filter, range(self._states, self._states + len(self._biases))
        deviations = [float(f['P'][b, b]) ** 0.5 for b in places]
        return {'biases': dict(zip(self._biases, f['bias'].tolist(), strict=False)),
                'bias_deviations': dict(zip(self._biases, deviations, strict=True))}

    def _forces(self):
        """Return the estimated forces on z (g), None if the filter does not estimate them."""
        return None


def _checked_covariance(covariance, size):
    """Return a covariance (size, size).  Raises FilterError if it is not positive definite."""
    covariance = np.asarray(covariance, dtype=np.float64)
    if covariance.shape != (size, size):
        raise FilterError(f'covariance: shape {covariance.shape} must be {(size, size)}')
    if not np.allclose(covariance, covariance.T, rtol=1e-9, atol=0.0):
        raise FilterError('covariance: must be symmetric')
    try:
        np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise FilterError('covariance: must be positive definite') from None
    return (covariance + covariance.T) / 2.0
