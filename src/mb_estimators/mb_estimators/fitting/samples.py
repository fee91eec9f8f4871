"""A motion without contacts with the forces of drives, and the equations that these give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.reading_part import EncoderReadings
from mb_model import Needed, Regressor
from mb_model.arrays import BoolArray, FloatArray, IntArray, Selection
from mb_sensors import NANOSECONDS, RecordedMotion

SPLINED = 0.75         # of the spacing of its knots: the time that a spline is a mean over
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)
_TRANSITION = 'transition_velocity'


@dataclass(frozen=True)
class CylinderPressures:
    """Beside a motion, at its k instants, of each of c cylinders.

    difference, rod (k, c): |p_piston - p_rod| and the gauge pressure of the rod side [Pa];
    rate_deviation (k, c): 1 sigma of the rate [m/s]; covariance (k, 3 g + c, 3 g + c): of z, zd,
    zdd and the forces of the pressures.
    """

    difference: np.ndarray
    rod: np.ndarray
    rate_deviation: np.ndarray
    covariance: np.ndarray

    def __getitem__(self, chosen: Selection) -> 'CylinderPressures':
        """Return them at some of the instants, by a mask or a slice."""
        return CylinderPressures(*(getattr(self, one.name)[chosen] for one in fields(self)))


@dataclass(frozen=True)
class DynamicsSamples:
    """One recording: a RecordedMotion, and the forces of drives at its stamps (k, d).

    Forces and accelerations are means over the same time.  smoothing [s]: over which the motion is
    a mean, such as the spacing of the knots of a spline.  oil: where drives are hydraulic
    cylinders, and the forces are of their pressures, without friction; encoders: what the motion
    comes from, where that is known.
    """

    motion: RecordedMotion
    torques: np.ndarray
    smoothing: float = 0.0
    oil: CylinderPressures | None = None
    encoders: EncoderReadings | None = None

    @property
    def encoder_names(self) -> tuple[str, ...]:
        """Names of the encoders that the motion comes from."""
        return () if self.encoders is None else tuple(dict.fromkeys(self.encoders.sensors))

    @property
    def t(self) -> FloatArray:
        """Times since the first stamp (k) [s]."""
        return (self.motion.stamps - self.motion.stamps[0]) / NANOSECONDS

    def __len__(self) -> int:
        return len(self.motion)

    def moved(self, change: FloatArray) -> 'DynamicsSamples':
        """Return the samples with another motion: z, zd, zdd changed by (k, 3 g)."""
        z, zd, zdd = (getattr(self.motion, name) + part for name, part in zip(
            ('z', 'zd', 'zdd'), np.split(change, 3, axis=1), strict=True))
        return replace(self, motion=replace(self.motion, z=z, zd=zd, zdd=zdd))

    def __getitem__(self, chosen: Selection) -> 'DynamicsSamples':
        """Return some of the samples, by a mask or a slice."""
        return replace(self, motion=self.motion[chosen], torques=self.torques[chosen],
                       oil=None if self.oil is None else self.oil[chosen],
                       encoders=None if self.encoders is None else self.encoders[chosen])


class HeldTorques:
    """Forces of drives (d), each from its stamp on until the next."""

    def __init__(self, stamps: IntArray, torques: FloatArray) -> None:
        """Set up for increasing stamps (k) [ns] and torques (k, d)."""
        self._stamps, self._torques = np.asarray(stamps), np.asarray(torques, float)

    def known(self, stamps: IntArray) -> BoolArray:
        """Return at which stamps (k) forces are known on both sides."""
        return (stamps > self._stamps[0]) & (stamps < self._stamps[-1])

    def within(self, stamps: IntArray) -> IntArray:
        """Return stamps (k), or where they are outside the nearest at which forces are known."""
        return np.clip(stamps, self._stamps[0] + 1, self._stamps[-1] - 1)

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

    def within(self, stamps: IntArray) -> IntArray:
        """Return stamps (k), or where they are outside the nearest at which forces are known."""
        return np.clip(stamps, self._stamps[0], self._stamps[-1])

    def at(self, stamps: IntArray) -> FloatArray:
        """Return the forces (k, d) at stamps."""
        t, known = ((one - self._stamps[0]) / NANOSECONDS for one in (stamps, self._stamps))
        return np.column_stack([np.interp(t, known, torques) for torques in self._torques.T])


Rubbing = Callable[[FloatArray, CylinderPressures], tuple[FloatArray, FloatArray, FloatArray]]


class UnexplainedForces:
    """Forces of drives that the motion of a recording does not need, at its k instants.

    t (k) [s], motion, torques (k, d): of the instants; needed: what a Regressor needs along them;
    residual (k, g): what is left of the drives' forces, covariance (k, g, g), of which of_drives
    (k, g, g) is without the motion; starts (w): first instants of the windows over which forces are
    averaged, counts (w): of instants in each.
    """

    def __init__(self, regressor: Regressor, samples: DynamicsSamples,
                 drives: Sequence[int] | IntArray, settings: Any,
                 rubbing: Rubbing | None = None) -> None:
        """Set up for DynamicsSamples; drives: indices in q of the coordinates (d) they act on.

        settings: with the averaging time, torque deviation and share of FitSettings; rubbing:
        friction of cylinders, whose numbers follow the regressor's in needed.  Raises FitError.
        """
        if len(samples) < 2:
            raise FitError(f'a recording of {len(samples)} instants')
        self.motion, self.t = samples.motion, samples.t
        self.smoothing = samples.smoothing if any(map(is_transition, regressor.names)) else 0.0
        self.torques = self._smoothed(samples.torques)
        self.oil, self.needed = samples.oil, self._needed(regressor)
        R = self.needed.R[:, drives]
        if rubbing is not None and self.oil is not None:
            self.needed = _rubbed(self.needed, R, *rubbing(
                np.einsum('kdg,kg->kd', R, self.motion.zd), self.oil))
        self.residual = np.einsum('kdg,kd->kg', R, self.torques) - self.needed.force
        self.of_drives = settings.torque_deviation ** 2 * np.einsum('kdg,kdh->kgh', R, R)
        if settings.torque_share:
            self.of_drives += np.einsum('kd,kdg,kdh->kgh',
                                        (settings.torque_share * self.torques) ** 2, R, R)
        self.covariance = self.of_drives.copy()
        if self.motion.covariance is not None:
            self.covariance += np.einsum('kgi,kij,khj->kgh', self.needed.by_state,
                                         self.motion.covariance, self.needed.by_state,
                                         optimize=True)
        if self.oil is not None:
            by = np.concatenate([-self.needed.by_state, np.swapaxes(R, 1, 2)], axis=2)
            self.covariance += by @ self.oil.covariance @ np.swapaxes(by, 1, 2)
        self.starts = np.flatnonzero(
            np.diff(np.floor(self.t / settings.averaging_time), prepend=-1.0))
        self.counts = np.diff(np.r_[self.starts, len(self.t)])

    def around(self, values: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return the means of values(rates (k, g)) over the time in which the motion is smoothed.

        Around a turn, friction changes within it.
        """
        if not self.smoothing:
            return values(self.motion.zd)
        return sum(weight * values(self.motion.zd + 0.5 * self.smoothing * node * self.motion.zdd)
                   for node, weight in zip(_NODES, 0.5 * _WEIGHTS, strict=True))

    def _smoothed(self, torques: FloatArray) -> FloatArray:
        """Return forces of drives (k, d) as means over the same time, as drives may follow turns.
        """
        if not self.smoothing:
            return torques
        return np.sum([0.5 * weight * np.column_stack([
            np.interp(self.t + 0.5 * self.smoothing * node, self.t, one) for one in torques.T])
            for node, weight in zip(_NODES, _WEIGHTS, strict=True)], axis=0)

    def _needed(self, regressor: Regressor) -> Needed:
        """Return the Needed along the motion, or the mean around each of its instants."""
        motion, several = self.motion, []

        def stacked(zd: FloatArray) -> FloatArray:
            needed = regressor.along(motion.z, zd, motion.zdd)
            several.append(needed)
            return np.concatenate([needed.force[:, :, np.newaxis], needed.by_parameter,
                                   needed.by_state], axis=2)
        whole, count = self.around(stacked), len(regressor.names)
        return Needed(whole[:, :, 0], whole[:, :, 1:1 + count], whole[:, :, 1 + count:],
                      several[0].R)

    def mean(self, values: FloatArray) -> FloatArray:
        """Return the means (w, ...) of values (k, ...) over the windows."""
        return np.add.reduceat(values, self.starts) / self.counts.reshape(
            -1, *[1] * (values.ndim - 1))


def _rubbed(needed: Needed, R: FloatArray, force: FloatArray, damping: FloatArray,
            by_number: FloatArray) -> Needed:
    """Return what is needed with friction on coordinates (d) of rates R zd (k, d, g)."""
    by_state, g = needed.by_state.copy(), R.shape[2]
    by_state[:, :, g:2 * g] += np.einsum('kdg,kd,kdh->kgh', R, damping, R)
    return Needed(needed.force + np.einsum('kdg,kd->kg', R, force), np.concatenate([
        needed.by_parameter, np.einsum('kdg,kdp->kgp', R, by_number)], axis=2), by_state, needed.R)


def is_transition(path: str) -> bool:
    """Return whether a number is a transition velocity, by its path."""
    return path.rpartition('.')[2] == _TRANSITION
