"""Recorded readings of a machine, motions beside its true one, and the result of a run."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from mb_estimators.consistency.normalized import normalized_squares, whitened
from mb_estimators.consistency.sensor_consistency import SensorConsistency, assess
from mb_estimators.filter import Estimate, Innovation
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.timeline import HeldInputs
from mb_estimators.watches.lost import LostWatch
from mb_model import ComparableMotion, Mechanism, Motion, comparable_motion, motion_errors
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS, Sensor

SETTLED = 2.0      # the initial transient is over by then [s]
# of a Track and of a Result, by name: root mean squares for each degree of freedom
ERRORS = ('position_rmse', 'position_rmse_after_2s', 'velocity_rmse', 'acceleration_rmse')


@dataclass(frozen=True)
class Track(ComparableMotion):
    """A motion at the instants of a run, and its errors against the truth.

    The root mean square errors have one entry per degree of freedom.
    """

    position_rmse: list[float] = field(default_factory=list)            # [rad or m]
    position_rmse_after_2s: list[float] = field(default_factory=list)
    velocity_rmse: list[float] = field(default_factory=list)
    acceleration_rmse: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, mechanism: Mechanism, *motion: FloatArray) -> Self:
        """Return the Track of z, zd, zdd (k, g), q, qd, qdd (k, n) of a mechanism."""
        return cls(**vars(comparable_motion(mechanism, *motion)))


@dataclass(frozen=True)
class Recording:
    """Readings at increasing stamps (k) [ns].

    readings (k, channels): in the order of a filter's sensors, NaN where there is none; truth: the
    motion at the stamps, with rows of NaN where it is not known, or None;
    inputs: HeldInputs of the filter, such as commands of valves, None for none.
    """

    stamps: IntArray
    readings: FloatArray
    truth: Track | None = None
    inputs: HeldInputs | None = None

    @property
    def t(self) -> FloatArray:
        """Times since the first stamp (k) [s]."""
        return (self.stamps - self.stamps[0]) / NANOSECONDS

    def judge(self, track: Track) -> Track:
        """Return a Track at the stamps with its errors; as it is where no truth is known.

        Raises ValueError as motion_errors.
        """
        if self.truth is None:
            return track
        known = np.isfinite(self.truth.z).all(axis=1)
        errors = judged(self.t[known], track[known], self.truth[known])
        return replace(errors, z=track.z, zd=track.zd, zdd=track.zdd, turns=track.turns)


@dataclass(frozen=True)
class Result:
    """Truth, uncorrected model and observer at the instants t (k) of a run, and the readings.

    covariance (k, l, l) of the observer's z, zd, ...; sensors: Sensor objects, as the filter knows
    them; channels: names; readings, innovation (k, channels) and innovation_covariance (k,
    channels, channels), NaN where there is none; nis (k), NaN where the readings were impossible;
    parameters of the model and their deviations: name -> (k), where the filter estimates some;
    mechanism: as the filter has it; stamps (k) [ns]; undetermined: names of the degrees of freedom
    that the filter knows by its model alone, see observability.undetermined_by.
    The errors of the observer are here too.
    """

    mechanism: Mechanism
    stamps: IntArray
    undetermined: tuple[str, ...]
    t: FloatArray
    truth: Track
    model: Track
    observer: Track
    covariance: FloatArray
    sensors: tuple[Sensor, ...]
    channels: tuple[str, ...]
    readings: FloatArray
    innovation: FloatArray
    innovation_covariance: FloatArray
    nis: FloatArray
    parameters: dict[str, FloatArray] = field(default_factory=dict)
    parameter_deviations: dict[str, FloatArray] = field(default_factory=dict)

    @property
    def position_rmse(self) -> list[float]:
        """Root mean square error of the observer's z (g)."""
        return self.observer.position_rmse

    @property
    def position_rmse_after_2s(self) -> list[float]:
        """The same without the first two seconds (g)."""
        return self.observer.position_rmse_after_2s

    @property
    def velocity_rmse(self) -> list[float]:
        """Root mean square error of the observer's zd (g)."""
        return self.observer.velocity_rmse

    @property
    def acceleration_rmse(self) -> list[float]:
        """Root mean square error of the observer's zdd (g)."""
        return self.observer.acceleration_rmse

    @property
    def nees(self) -> FloatArray:
        """Normalized estimation error squared (k), of the states that the covariance is of."""
        errors = np.hstack(motion_errors(self.observer, self.truth))
        return normalized_squares(errors[:, :self.covariance.shape[1]], self.covariance)

    @cached_property
    def lost(self) -> list[str]:
        """Why the estimate cannot be right at each instant, a list (k) of texts; empty if it can.

        As a running filter says it, see LostWatch.
        """
        watch, reasons = LostWatch(self.mechanism, self.sensors), []
        nothing: Any = None     # it looks at z, zd and their covariance alone
        state = watch.new_state()
        came = np.isfinite(self.readings)
        judged = came & np.isfinite(self.innovation)
        for k, stamp in enumerate(self.stamps):
            there = np.flatnonzero(judged[k])
            watch.saw(state, stamp, Innovation(
                there, self.innovation[k, there],
                self.innovation_covariance[k][np.ix_(there, there)], self.nis[k],
                np.flatnonzero(came[k] & ~judged[k])))
            reasons.append(watch.problem(state, Estimate(
                self.observer.z[k], nothing, nothing, nothing, nothing, nothing,
                self.covariance[k])))
        return reasons

    def consistency(self, level: float = 0.95) -> dict[str, SensorConsistency]:
        """Return the SensorConsistency of every sensor, by name, after the first two seconds.

        level: probability with which a filter whose claim is exact is consistent in all sensors.
        """
        own = 1.0 - (1.0 - level) / len(self.sensors)
        late = _settled(self.t)
        if not late.any():
            late = np.ones_like(late)
        slices, consistencies = SensorChannels(self.sensors).slices, {}
        for sensor in self.sensors:
            channels = slices[sensor.name]
            innovation = self.innovation[late, channels]
            there = np.isfinite(innovation).all(axis=1)
            came = np.isfinite(self.readings[late, channels]).any(axis=1)
            covariance = self.innovation_covariance[late, channels, channels]
            consistencies[sensor.name] = assess(
                sensor.name, whitened(innovation[there], covariance[there]), own,
                int(np.sum(came & ~there)),
                in_sigmas=innovation[there] / np.sqrt(sensor.settings.variance))
        return consistencies


def judged(t: FloatArray, track: Motion, truth: Motion) -> Track:
    """Return a Track with its errors against the truth; raises ValueError as motion_errors."""
    settled = _settled(t)
    position, velocity, acceleration = motion_errors(track, truth)
    return Track(
        track.z, track.zd, track.zdd, track.turns, _rmse(position), _rmse(position[settled]),
        _rmse(velocity), _rmse(acceleration))


def _settled(t: FloatArray) -> Any:
    """Return which instants count as settled."""
    return t >= SETTLED - 1e-9


def _rmse(errors: FloatArray) -> list[float]:
    """Return the root mean square of each column; NaN for none."""
    if len(errors) == 0:
        return [float('nan')] * errors.shape[1]
    return [float(x) for x in np.sqrt(np.mean(errors ** 2, axis=0))]
