"""What all filters around a multibody model share: workspaces, arguments, errors, estimate."""

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
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
)
from mb_estimators.kernels.start import start
from mb_model.settings import Settings, setting

_REAL = np.dtype(np.float64)
_NONE = np.empty(0, np.int64)       # channels
_DIVERGED = {SINGULAR: 'the mechanism is in a singular position',
             NOT_POSITIVE: 'the covariance is not positive definite'}


@dataclass(frozen=True)
class ModelFilterSettings(Settings):
    """What all filters around a model can be told."""

    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Initial variance of every state')
    gate: float = setting(
        30.0, at_least=0.0,
        help='Readings farther from the prediction than so many standard deviations are left out; '
             '0 leaves none out')


class ModelFilter(ABC):
    """A filter whose steps are compiled, on a model, its workspace and a record of its own.

    The record has the fields gate, dt, sensor_variance, bias, count, present, residual, nis,
    residual_covariance, rejected_count and rejected, as record.FILTER has them.
    """

    _record = None      # its type
    _kernel = None      # that corrects
    moves_prescribed = True     # steps coordinates prescribed over time; reset puts them at t = 0

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        self.settings = settings
        self.mechanism = mechanism
        self.sensors = tuple(sensors)
        self.dt = dt
        g = len(mechanism.independent)
        self._g, self._n = g, len(mechanism.coordinates)
        self._models, self._works = mechanism.model, mechanism.workspace()
        self._channels = self._channel_records(sensors)
        self._shape = self._channels.shape
        self._biases = channel_biases(sensors)
        self._filters = np.zeros(1, self._record)
        self._bind()
        self._filter['gate'] = settings.gate
        self._filter['dt'] = dt
        self._filter['sensor_variance'][:len(self._channels)] = channel_variances(sensors)
        self._set_up(self._filter)
        self.reset(mechanism.z0, mechanism.zd0)

    def _channel_records(self, sensors):
        """Return the measurement records of all sensors; raises SensorError."""
        return channel_records(sensors)

    @abstractmethod
    def _set_up(self, record):
        """Write states, plant noise and other settings to the record."""

    def _bind(self):
        """Make the views of the only model state and filter record.

        A field of a record is slow to look up, so those of every step are looked up here, once.
        """
        self._work, self._filter = work, record = self._works[0], self._filters[0]
        self._forces_on_z = work['forces'][:self._g]
        self._motion = self._motion_of(work)
        self._figures = tuple(self._filters[name] for name in ('count', 'rejected_count', 'nis'))
        k = len(self._channels)
        self._innovation = (record['present'][:k], record['residual'][:k],
                            record['residual_covariance'][:k, :k], record['rejected'][:k])
        self._all = np.arange(k)
        self._all.flags.writeable = False

    def _motion_of(self, work):
        """Return views of z, zd, zdd (g) and q, qd, qdd (n) of a workspace."""
        return (*(work[name][:self._g] for name in ('z', 'zd', 'zdd')),
                *(work[name][:self._n] for name in ('q', 'qd', 'qdd')))

    def __getstate__(self):
        views = ('_work', '_filter', '_forces_on_z', '_motion', '_figures', '_innovation', '_all')
        return {name: value for name, value in vars(self).items() if name not in views}

    def __setstate__(self, state):
        vars(self).update(state)
        self._bind()      # copied views would be arrays of their own

    @property
    def state(self):
        """The records that the filter goes on from, by name; see filter.Rewindable."""
        return {'work': self._works, 'filter': self._filters}

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) at t = 0, on the branch of the mechanism file.

        covariance: of the states.
        Raises FilterError if that is no covariance, and what Mechanism.assemble raises.
        """
        if covariance is not None:
            covariance = _checked_covariance(covariance, self._covariance_size)
        self._work['q'][:self._n] = self.mechanism.assemble(z)
        self._work['zd'][:self._g] = zd
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position')
        self._set_covariance(covariance)

    @property
    def _covariance_size(self):
        """How many independent states the filter has: what the covariance is of."""
        return 2 * self._g

    @abstractmethod
    def _set_covariance(self, covariance):
        """Start with a covariance of the independent states, or, if None, that of the settings."""

    def predict(self, dt, inputs=None):
        """Move the state on by dt [s], under known forces on z (g); see Filter.predict."""
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        self._hold(inputs)
        if not self._step(dt):
            raise DivergenceError('the model has no position, or no covariance, to step to')

    def _hold(self, inputs):
        """Let known forces (g) act on z from now on; None: none."""
        self._forces_on_z[:] = 0.0 if inputs is None else inputs

    @abstractmethod
    def _step(self, dt):
        """Predict model and covariance over dt [s]; return False if the model cannot step."""

    def correct(self, readings):
        """Take in the readings of all channels, NaN where there is none; see Filter.correct."""
        readings = np.ascontiguousarray(readings, _REAL)
        if readings.shape != self._shape:
            raise ValueError(f'readings: {readings.size} must be {self._channels.size}')
        status = self._correct(readings)
        if status != CORRECTED:
            self._require_corrected(status)
        return self._last_innovation()

    def _last_innovation(self):
        """Return the Innovation that the kernels have left in the record."""
        count, rejected_count, nis = self._figures
        count, rejected_count = count.item(), rejected_count.item()
        present, residual, covariance, rejected = self._innovation
        if count == len(present):
            present = self._all
        else:
            present, residual, covariance = (
                present[:count].copy(), residual[:count], covariance[:count, :count])
        return Innovation(present, residual.copy(), covariance.copy(), nis.item(),
                          rejected[:rejected_count].copy() if rejected_count else _NONE)

    def use_gate(self, used):
        """Leave readings out by the setting `gate`, or leave none out: others judge them."""
        self._filter['gate'] = self.settings.gate if used else 0.0

    def correct_widened(self, readings, added):
        """Correct by readings whose noise has that much more variance (channels), this once.

        What a filter that adapts has learned of it is forgotten.  Otherwise as `correct`.
        """
        variance = self._filter['sensor_variance'][:len(self._channels)]
        before, wide = variance.copy(), added > 0.0
        variance += added
        try:
            return self.correct(readings)
        finally:
            variance[wide] = before[wide]

    def _require_corrected(self, status):
        """Raise what `correct` does unless a status is CORRECTED."""
        if status == IMPOSSIBLE:
            raise ImpossibleReadingError('no position of the mechanism fits them')
        if status:
            raise DivergenceError(_DIVERGED[status])

    def _correct(self, readings):
        """Correct model and covariance by readings; return what kernels.correction.correct does."""
        return self._kernel(self._models, self._works, self._channels, self._filters, readings)

    @property
    def estimate(self):
        """The present Estimate."""
        z, zd, zdd, q, qd, qdd = self._motion
        return Estimate(z.copy(), zd.copy(), zdd.copy(), q.copy(), qd.copy(), qdd.copy(),
                        self._covariance(), **self._further_estimates())

    @abstractmethod
    def _covariance(self):
        """Return the covariance of z and zd, and of zdd if that is estimated."""

    def _further_estimates(self):
        """Return what an Estimate has beside the motion, by field: here the biases."""
        return self._bias_estimate() if self._biases else {}

    def _bias_estimate(self):
        """Return biases and their deviations by channel."""
        values, deviations = self._filter['bias'].tolist(), self._bias_deviations().tolist()
        return {'biases': dict(zip(self._biases, values, strict=False)),
                'bias_deviations': dict(zip(self._biases, deviations, strict=True))}

    @abstractmethod
    def _bias_deviations(self):
        """Return the standard deviations of the biases (b)."""


def _checked_covariance(covariance, size):
    """Return a covariance (size, size).  Raises FilterError if it is not positive definite."""
    covariance = np.asarray(covariance, dtype=np.float64)
    if covariance.shape != (size, size):
        raise FilterError(f'covariance: shape {covariance.shape} must be {(size, size)}')
    if not np.isfinite(covariance).all():
        raise FilterError('covariance: must be finite')
    if not np.allclose(covariance, covariance.T, rtol=1e-9, atol=0.0):
        raise FilterError('covariance: must be symmetric')
    try:
        np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise FilterError('covariance: must be positive definite') from None
    return (covariance + covariance.T) / 2.0
