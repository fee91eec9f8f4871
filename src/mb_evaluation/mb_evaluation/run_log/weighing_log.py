"""The log of a run with a tool that weighs: truth, estimated angles, weighings, forces."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mb_evaluation.run_log.run_log import RunLog, missing
from mb_evaluation.run_log.samples import Samples
from mb_sensors import FaultSettings, Sensor

STILL, SETTLED = 1e-2, 5.0      # rad/s, s: a joint stands that is slower; at rest so long after


class Weighed(NamedTuple):
    """A weighing that has ended: stamp [ns]; masses and deviation [kg], net NaN without a tare."""

    stamp: int
    net: float
    gross: float
    deviation: float


class WeighingLog(RunLog):
    """Collects all of a run until truth and estimates have reached the end.

    angles (a): names of the judged degrees of freedom, with their indices in z.
    """

    def __init__(self, start: int, duration: float, rate: float, angles: Mapping[str, int],
                 sensors: Sequence[Sensor] = (), seed: int = 0,
                 faults: Mapping[str, FaultSettings] | None = None) -> None:
        """Expect a run as RunLog does; angles: name -> index in z."""
        super().__init__(start, duration, rate, sensors, seed, faults)
        self.angles = dict(angles)
        a = len(self.angles)
        self.truth = Samples(a, a, 9)           # angles, rates, rotation of the edge's frame
        self.estimate = Samples(a, a)           # angles, deviations
        self.masses = Samples(1, 1, 1)          # net, gross, deviation of a weighing so far
        self.true_load = Samples(1)
        self.forces = Samples(2)                # along x and z of the frame
        self.true_forces = Samples(2)           # along x and z of the ground
        self.weighings: list[Weighed] = []
        self.streams = {'the prototype': self.truth, 'the observer': self.estimate,
                        'the scales': self.masses, 'the edge': self.forces,
                        'the true load': self.true_load}

    @property
    def reached(self) -> int:
        """Stamp that truth and estimates have reached [ns]."""
        return min(self.truth.newest, self.masses.newest)

    @property
    def finished(self) -> bool:
        """Whether truth and estimates have reached the end, but for what still waits."""
        waits = 200_000_000     # the slowest sensors have two periods left [ns]
        return self.truth.newest >= self.end and self.masses.newest >= self.end - waits

    def lost(self) -> dict[str, int]:
        """Return how many messages of each kind were lost."""
        due = self.estimate.stamps[self.estimate.stamps <= self.masses.newest]
        return {'prototype': missing(self.expected, self.truth),
                'estimates': self.estimates_lost(self.estimate.stamps.tolist(),
                                                 self.estimate.missing()),
                'masses': missing(due, self.masses), 'readings': self.readings_lost(so_far=True)}

    def errors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return times (k) [s], errors (k, a) and claimed deviations (k, a) of angles [rad]."""
        common = np.intersect1d(self.truth.stamps, self.estimate.stamps)
        angles, deviations = self.estimate.columns(common)
        return self.seconds(common), angles - self.truth.columns(common)[0], deviations

    def rest_begin(self) -> float:
        """Return the time from which on all joints stand, SETTLED [s]; the end if they do not."""
        rates = self.truth.columns()[1]
        moving = np.flatnonzero((np.abs(rates) > STILL).any(axis=1))
        if not len(moving):
            return self.duration
        return float(self.seconds(self.truth.stamps[moving[-1]])) + SETTLED

    def pushes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return times (k) [s], estimated and true forces at the edge (k, 2) [N] in the frame."""
        stamps = np.intersect1d(self.forces.stamps, self.truth.stamps)
        true = np.nan_to_num(self.true_forces.held(stamps)[0])
        turns = self.truth.columns(stamps)[2].reshape(-1, 3, 3)
        along = np.stack([true[:, 0], np.zeros(len(true)), true[:, 1]], axis=1)
        seen = np.einsum('kji,kj->ki', turns, along)[:, [0, 2]]
        return self.seconds(stamps), self.forces.columns(stamps)[0], seen
