"""What runs have in common that monitors listen to."""

from dataclasses import dataclass

import numpy as np

from mb_evaluation.accuracy.expected import delivered
from mb_evaluation.run_log.complaints import Complaints
from mb_evaluation.run_log.time_of_run import TimeOfRun

AFTER = 1_000_000_000       # the end of a run may readings be stamped that arrive late [ns]


@dataclass
class Counters:
    """What the estimator says of its readings up to a stamp [ns]."""

    stamp: int = 0
    used: int = 0
    rejected: int = 0
    late: int = 0
    missing: int = 0


class HeardRun:
    """What is expected of a run, and what its nodes say of themselves and of their readings."""

    def __init__(self, start, duration, rate, sensors=(), seed=0, faults=None):
        """Expect the truth at start + k / rate up to start + duration (start in ns, duration in s).

        sensors: simulated Sensors whose readings are expected; seed: of their noise; faults:
        FaultSettings of those that fail, by name.
        """
        self.start, self.duration = start, duration
        count = round(duration * rate)
        self.expected = start + np.round(np.arange(count + 1) * 1e9 / rate).astype(np.int64)
        self.end = int(self.expected[-1])
        taken = [delivered(sensor, seed, self.expected, (faults or {}).get(sensor.name))
                 for sensor in sensors]
        self.readings_due = sum(map(len, taken))
        self.last_reading = max((int(stamps[-1]) for stamps in taken if len(stamps)), default=start)
        self.complaints = Complaints()
        self.counters = Counters()
        self.step_times = []            # of the filter [s]
        self.mixed = False              # somebody else spoke on the same topics
        self.bad_line = None            # a BadLine, where readings suffer on purpose
        self.statuses = set()           # stamps of what the estimator says of itself [ns]
        self.strangers = 0              # messages that were stamped outside of the run
        self.time = TimeOfRun(start)
        self.published = {}             # stamp of the truth [ns] -> wall time [s]

    def covers(self, stamp):
        """Tell whether a stamp [ns] may be of this run; else count a stranger."""
        inside = self.start <= stamp <= self.end + AFTER
        self.strangers += not inside
        return inside

    def seconds(self, stamp):
        """Return a stamp [ns] as time after the start [s]."""
        return (stamp - self.start) * 1e-9

    def readings_lost(self):
        """Return how many readings the estimator neither used nor rejected."""
        if self.bad_line:
            return self.bad_line.readings_lost(self.readings_due)
        return max(0, self.readings_due - self.counters.used - self.counters.rejected)

    def estimates_lost(self):
        """Return how many Samples of `estimate` are missing.

        On a bad line some instants have no reading; then those whose status came alone.
        """
        if self.bad_line:
            return len(self.statuses.difference(self.estimate.stamps.tolist()))
        return self.estimate.missing()

    def real_time_factor(self):
        """Return simulated over wall time of the truth, None for too few states."""
        if len(self.published) < 2:
            return None
        stamps, walls = np.array(list(self.published.items()), float).T
        return float(np.polyfit(walls - walls[0], (stamps - stamps[0]) * 1e-9, 1)[0])


def missing(expected, samples):
    """Return how many expected stamps (k) [ns] Samples do not have."""
    return int(np.setdiff1d(expected, samples.stamps).size)
