"""A motion without contacts with the forces of drives, and the equations that these give."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from mb_contact.arguments import ContactError
from mb_model import Regressor, Settings, setting
from mb_model.arrays import BoolArray, FloatArray, IntArray, Selection
from mb_sensors import NANOSECONDS, RecordedMotion


@dataclass(frozen=True)
class DynamicsFitSettings(Settings):
    """Selection of the samples of a motion, and their weights."""

    settling_time: float = setting(
        0.5, unit='s', at_least=0.0, help='Time left out at the start of a recording')
    knot_spacing: float = setting(
        0.02, unit='s', above=0.0, help='Of the spline through the readings of encoders: the '
        'shorter, the faster motions are followed, and the more noise is in the accelerations')
    averaging_time: float = setting(
        0.01, unit='s', above=0.0,
        help='Forces, needed and known, are averaged over this time')
    torque_deviation: float = setting(
        0.02, unit='N m or N', above=0.0, help='Standard deviation of the known force of a drive')
    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')


@dataclass(frozen=True)
class DynamicsSamples:
    """One recording: a RecordedMotion, and the forces of drives at its stamps (k, d).

    Forces and accelerations are means over the same time.
    """

    motion: RecordedMotion
    torques: np.ndarray

    @property
    def t(self) -> FloatArray:
        """Times since the first stamp (k) [s]."""
        return (self.motion.stamps - self.motion.stamps[0]) / NANOSECONDS

    def __len__(self) -> int:
        return len(self.motion)

    def __getitem__(self, chosen: Selection) -> 'DynamicsSamples':
        """Return some of the samples, by a mask or a slice."""
        return DynamicsSamples(self.motion[chosen], self.torques[chosen])


class HeldTorques:
    """Forces of drives (d), each from its stamp on until the next."""

    def __init__(self, stamps: IntArray, torques: FloatArray) -> None:
        """Set up for increasing stamps (k) [ns] and torques (k, d)."""
        self._stamps, self._torques = np.asarray(stamps), np.asarray(torques, float)

    def known(self, stamps: IntArray) -> BoolArray:
        """Return at which stamps (k) forces are known on both sides."""
        return (stamps > self._stamps[0]) & (stamps < self._stamps[-1])

    def before(self, stamps: IntArray) -> FloatArray:
        """Return the forces (k, d) until stamps, for accelerations of a simulation."""
        return self._torques[np.searchsorted(self._stamps, stamps, side='left') - 1]

    def around(self, stamps: IntArray) -> FloatArray:
        """Return the mean (k, d) of both sides, for accelerations that a curve was fitted to."""
        after = self._torques[np.searchsorted(self._stamps, stamps, side='right') - 1]
        return 0.5 * (self.before(stamps) + after)


class ReadTorques:
    """Forces of drives (d) as they were measured: each at its stamp, on straight lines between."""

    def __init__(self, stamps: IntArray, torques: FloatArray) -> None:
        """Set up for increasing stamps (k) [ns] and torques (k, d)."""
        self._stamps, self._torques = np.asarray(stamps), np.asarray(torques, float)

    def known(self, stamps: IntArray) -> BoolArray:
        """Return at which stamps (k) forces are known."""
        return (stamps >= self._stamps[0]) & (stamps <= self._stamps[-1])

    def at(self, stamps: IntArray) -> FloatArray:
        """Return the forces (k, d) at stamps."""
        t, known = ((one - self._stamps[0]) / NANOSECONDS for one in (stamps, self._stamps))
        return np.column_stack([np.interp(t, known, torques) for torques in self._torques.T])


@dataclass(frozen=True)
class Rows:
    """Residual = slopes * change of the parameters, at w windows of time.

    residual (w, g): forces of the drives on the degrees of freedom less those needed; slopes (w, g,
    p); factor (w, g, g): Cholesky factors of their covariance, up to a common scale; block (w):
    number of the block of time.
    """

    residual: np.ndarray
    slopes: np.ndarray
    factor: np.ndarray
    block: np.ndarray

    @property
    def scaled(self) -> tuple[FloatArray, FloatArray]:
        """The residual (w g) and slopes (w g, p) in units of their deviations."""
        whole = np.concatenate([self.residual[:, :, None], self.slopes], axis=2)
        whole = np.linalg.solve(self.factor, whole).reshape(-1, whole.shape[2])
        return whole[:, 0], whole[:, 1:]

    @property
    def blocks(self) -> IntArray:
        """The number of the block of every scaled equation (w g)."""
        return np.repeat(self.block, self.residual.shape[1])


def rows_of(regressor: Regressor, recordings: Sequence[DynamicsSamples],
            drives: Sequence[int] | IntArray, settings: DynamicsFitSettings) -> Rows:
    """Return the Rows of DynamicsSamples at the values of a Regressor; raises ContactError.

    drives: indices in q of the coordinates that the forces act on (d).
    """
    parts, first = [], 0
    for samples in recordings:
        parts.append(_rows_of_one(regressor, samples, drives, settings, first))
        first = parts[-1].block[-1] + 1
    return Rows(*(np.concatenate([getattr(part, field.name) for part in parts])
                  for field in fields(Rows)))


def _rows_of_one(regressor: Regressor, samples: DynamicsSamples, drives: Sequence[int] | IntArray,
                 settings: DynamicsFitSettings, first_block: int) -> Rows:
    forces = UnexplainedForces(regressor, samples, drives, settings)
    factor = np.linalg.cholesky(forces.mean(forces.covariance))
    number = np.floor(forces.t[forces.starts] / settings.block_time).astype(int)
    return Rows(forces.mean(forces.residual), forces.mean(forces.needed.by_parameter), factor,
                first_block + np.unique(number, return_inverse=True)[1])


class UnexplainedForces:
    """Forces of drives that the motion of a recording does not need, at its k settled instants.

    t (k) [s], motion: of the instants; needed: what a Regressor needs along them; residual (k, g),
    covariance (k, g, g): of what is left of the drives' forces; starts (w): first instants of the
    windows over which forces are averaged.
    """

    def __init__(self, regressor: Regressor, samples: DynamicsSamples,
                 drives: Sequence[int] | IntArray, settings: Any) -> None:
        """Set up for DynamicsSamples; drives: indices in q of the coordinates (d) they act on.

        settings: with the times and the deviation of DynamicsFitSettings.  Raises ContactError.
        """
        settled = samples[samples.t >= settings.settling_time]
        if not len(settled):
            raise ContactError(
                f'a recording of {samples.t[-1] if len(samples) else 0.0:g} s: longer than '
                f'{settings.settling_time:g} s is needed')
        self.motion, self.t = settled.motion, settled.t
        self.needed = regressor.along(self.motion.z, self.motion.zd, self.motion.zdd)
        R = self.needed.R[:, drives]
        self.residual = np.einsum('kdg,kd->kg', R, settled.torques) - self.needed.force
        self.covariance = settings.torque_deviation ** 2 * np.einsum('kdg,kdh->kgh', R, R)
        if self.motion.covariance is not None:
            self.covariance += np.einsum('kgi,kij,khj->kgh', self.needed.by_state,
                                         self.motion.covariance, self.needed.by_state,
                                         optimize=True)
        self.starts = np.flatnonzero(
            np.diff(np.floor(self.t / settings.averaging_time), prepend=-1.0))
        self._counts = np.diff(np.r_[self.starts, len(self.t)])

    def mean(self, values: FloatArray) -> FloatArray:
        """Return the means (w, ...) of values (k, ...) over the windows."""
        return np.add.reduceat(values, self.starts) / self._counts.reshape(
            -1, *[1] * (values.ndim - 1))
