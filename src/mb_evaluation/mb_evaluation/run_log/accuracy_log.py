"""The log of a run of the three-simulation method: three tracks and the reports of the filter."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.accuracy.errors import Errors, LostEstimates, errors_against
from mb_evaluation.accuracy.innovations import Innovations, note
from mb_evaluation.accuracy.rows import Rows
from mb_evaluation.accuracy.track import Track
from mb_evaluation.run_log.run_log import RunLog
from mb_model import FreeOrientations, motion_errors
from mb_sensors import FaultSettings, Sensor

STREAMS = ('prototype', 'model', 'observer')


@dataclass
class ParameterTrack:
    """Estimates of a parameter over time; truth: the prototype's value, None if it has none."""

    name: str
    truth: float | None = None
    stamps: list = field(default_factory=list)          # [ns]
    values: list = field(default_factory=list)
    deviations: list = field(default_factory=list)

    def add(self, stamp: int, value: float, deviation: float) -> None:
        """Note an estimate and its standard deviation."""
        self.stamps.append(stamp)
        self.values.append(value)
        self.deviations.append(deviation)

    def figures(self) -> dict[str, float | None]:
        """Return the last estimate, its deviation and the truth."""
        return {'estimate': self.values[-1], 'deviation': self.deviations[-1], 'truth': self.truth}


class AccuracyLog(RunLog):
    """Collects states and innovations until every stream has reached the end."""

    def __init__(self, start: int, duration: float, rate: float, sensors: Sequence[Sensor] = (),
                 seed: int = 0, faults: Mapping[str, FaultSettings] | None = None,
                 orientations: FreeOrientations | None = None) -> None:
        """Expect a run as RunLog does, of every stream the states, and estimates after readings.

        orientations: FreeOrientations of the mechanism, None for none.
        """
        super().__init__(start, duration, rate, sensors, seed, faults)
        # At the first stamp the state is given, not estimated.
        self.expected_estimates = np.unique(self.due_readings[self.due_readings > start])
        self.orientations = orientations
        self.names: list[str] = []              # of the degrees of freedom
        self.units: dict[str, str] = {}         # of degrees of freedom that are not angles
        self.innovations = {s.name: Innovations(s.name, s.channels) for s in sensors}
        self.lost_estimates = LostEstimates()
        self.undetermined = ()                  # degrees of freedom that readings once left open
        self.parameters: dict[str, ParameterTrack] = {}
        self.nis, self.nis_sizes = array('d'), array('q')
        self.published_estimates: dict[int, float] = {}    # stamp [ns] -> wall time [s]
        self._samples = {stream: Rows() for stream in STREAMS}
        self.streams = self._samples
        # What is still to come is kept up to date: to find it among all samples of a long run would
        # hold up new ones.
        self._due = {stream: self.expected_estimates if stream == 'observer' else self.expected
                     for stream in STREAMS}
        self._awaited = {stream: set(due.tolist()) for stream, due in self._due.items()}
        self._newest = dict.fromkeys(STREAMS, 0)

    def add_state(self, stream: str, published: float, stamp: int, names: list[str], z: np.ndarray,
                  zd: np.ndarray, zdd: np.ndarray, covariance: np.ndarray, *q: np.ndarray) -> None:
        """Note a state of a stream: stamp [ns], wall time at which it was published [s].

        names: of the degrees of freedom; covariance: of as many of the stacked z, zd, zdd as are
        estimated, may be empty; q, qd, qdd where bodies turn freely.  Raises ValueError if names or
        sizes do not fit.
        """
        g = len(names)
        if names != (self.names or names):
            raise ValueError(f'degrees of freedom {", ".join(names)} where '
                             f'{", ".join(self.names)} were expected')
        whole = len(z) == len(zd) == len(zdd) == g > 0
        if not whole or len(covariance) not in (0, g, 2 * g, 3 * g):
            raise ValueError(f'z, zd, zdd and covariance of {len(z)}, {len(zd)}, {len(zdd)} and '
                             f'{len(covariance)} where {g} degrees of freedom are named')
        self.names = names
        frames = self.orientations.frames(*q) if self.orientations else None
        self._samples[stream].append((stamp, z, zd, zdd, covariance, frames))
        if stream == 'prototype':
            self.published.setdefault(stamp, published)
        elif stream == 'observer':
            self.published_estimates.setdefault(stamp, published)
        self._awaited[stream].discard(stamp)
        self._newest[stream] = max(self._newest[stream], stamp)

    def add_parameter(self, stamp: int, name: str, value: float, deviation: float) -> None:
        """Note an estimate of a parameter of the model at a stamp [ns]."""
        if name not in self.parameters:
            self.parameters[name] = ParameterTrack(name)
        self.parameters[name].add(stamp, value, deviation)

    def add_innovation(self, stamp: int, channels: Sequence[str], innovation: ArrayLike,
                       covariance: ArrayLike, nis: float, step_time: float) -> None:
        """Note what the filter did with the readings of a stamp; covariance row by row.

        Raises ValueError if the sizes do not fit.
        """
        covariance = np.reshape(covariance, (len(channels),) * 2)
        values = np.reshape(innovation, len(channels))
        note(self.innovations.values(), stamp, channels, values, covariance)
        self.nis.append(nis)
        self.nis_sizes.append(len(channels))
        self.step_times.append(step_time)

    @property
    def newest_truth(self) -> int:
        """Newest stamp of the truth [ns]."""
        return self._newest['prototype']

    @property
    def reached(self) -> int:
        """Stamp that every stream has reached [ns]."""
        return min(self._newest.values())

    @property
    def finished(self) -> bool:
        """Return whether every stream has reached the end."""
        newest = self._newest
        return (min(newest['prototype'], newest['model']) >= self.end
                and newest['observer'] >= self.expected_estimates.max(initial=0))

    def track(self, stream: str) -> Track:
        """Return the Track of a stream so far, up to the end."""
        return Track((s for s in self._samples[stream] if self.start <= s[0] <= self.end),
                     self.orientations)

    def latest_error(self, stream: str) -> np.ndarray | None:
        """Return the newest state of a stream minus the truth of the same stamp, or None (g)."""
        truth = {sample[0]: sample for sample in self._samples['prototype'][-400:]}
        for sample in reversed(self._samples[stream][-400:]):
            if sample[0] in truth:
                one, true = (Track([s], self.orientations).motion for s in (
                    sample, truth[sample[0]]))
                return motion_errors(one, true)[0][0]
        return None

    def errors(self) -> dict[str, Errors]:
        """Return the Errors of model and observer; a stream without states has none."""
        truth = self.track('prototype')
        tracks = {stream: self.track(stream) for stream in STREAMS[1:]}
        return {stream: errors_against(truth, track, self.start)
                for stream, track in tracks.items() if len(truth) and len(track)}

    def lost(self, so_far: bool = False) -> dict[str, int]:
        """Return how many messages of each kind were lost; so far: before the newest that came."""
        lost = {}
        for stream, due in self._due.items():
            to_come = (due > self._newest[stream]).sum() if so_far else 0
            lost[stream] = len(self._awaited[stream]) - int(to_come)
        came = (sample[0] for sample in self._samples['observer'])
        return {**lost, 'observer': self.estimates_lost(came, lost['observer']),
                'readings': self.readings_lost(so_far)}

    def latencies(self) -> dict[int, float]:
        """Return {stamp [ns]: wall time [s] from publishing a truth to publishing its estimate}."""
        return {stamp: published - self.published[stamp]
                for stamp, published in self.published_estimates.items()
                if stamp in self.published}
