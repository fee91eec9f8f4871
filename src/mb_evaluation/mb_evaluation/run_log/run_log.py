"""The log of a run: expected messages, and the reports of its nodes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mb_evaluation.run_log.complaints import Complaints
from mb_evaluation.run_log.expected import delivered
from mb_evaluation.run_log.samples import Samples
from mb_evaluation.run_log.time_of_run import TimeOfRun
from mb_sensors import FaultSettings, Sensor

AFTER = 1_000_000_000       # readings that arrive late may be stamped after the end [ns]
ENOUGH = 1000               # states that give the speed of a run


@dataclass
class Counters:
    """How the estimator counts its readings up to a stamp [ns]."""

    stamp: int = 0
    used: int = 0
    rejected: int = 0
    late: int = 0
    missing: int = 0


class RunLog:
    """The common part of all runs; the log of one kind of run adds its streams.

    It has the truth as Samples `truth`, or a property `newest_truth` of its own.  It adds as
    properties `reached` (stamp [ns] that every stream has reached), `finished` and `silent`
    (streams without a message), and a method lost().
    """

    def __init__(self, start: int, duration: float, rate: float, sensors: Sequence[Sensor] = (),
                 seed: int = 0, faults: Mapping[str, FaultSettings] | None = None) -> None:
        """Expect the truth at start + k / rate up to start + duration (start in ns, duration in s).

        sensors: simulated Sensors whose readings are expected; seed: of their noise; faults:
        FaultSettings of sensors that fail, by name.
        """
        self.start, self.duration = start, duration
        count = round(duration * rate)
        self.expected = start + np.round(np.arange(count + 1) * 1e9 / rate).astype(np.int64)
        self.end = int(self.expected[-1])
        faults = faults or {}
        self.due_readings = np.sort(np.concatenate([np.empty(0, np.int64), *(
            delivered(sensor, seed, self.expected, faults.get(sensor.name))
            for sensor in sensors)]))           # stamps of all of them [ns]
        self.complaints = Complaints()
        self.counters = Counters()
        self.step_times = []            # of the filter [s]
        self.mixed = False              # another run has published on the same topics
        self.bad_line = None            # a BadLine, where readings are disturbed on purpose
        self.statuses = set()           # stamps of the reports of the estimator [ns]
        self.strangers = 0              # messages that were stamped outside of the run
        self.time = TimeOfRun(start)
        self.published = {}             # stamp of the truth [ns] -> wall time [s]

    @property
    def newest_truth(self) -> int:
        """Newest stamp of the truth [ns]."""
        return self.truth.newest

    @property
    def progress(self) -> float:
        """Simulated time that every stream has reached, after the start [s]."""
        return max(0.0, self.seconds(self.reached))

    def admits(self, stamp: int) -> bool:
        """Return whether a stamp [ns] may be of this run; if not, count it in `strangers`."""
        inside = self.start <= stamp <= self.end + AFTER
        self.strangers += not inside
        return inside

    def seconds(self, stamp: int | np.ndarray) -> float | np.ndarray:
        """Return a stamp, or stamps (k), [ns] as time after the start [s]."""
        return (stamp - self.start) * 1e-9

    def readings_lost(self, so_far: bool = False) -> int:
        """Return how many readings the estimator neither used nor rejected.

        so_far: only readings before its last report; none on a bad line, whose counts come later.
        """
        due = self.due_readings
        if self.bad_line:
            return 0 if so_far else self.bad_line.readings_lost(len(due))
        if so_far:
            due = due[due <= self.counters.stamp]
        return max(0, len(due) - self.counters.used - self.counters.rejected)

    def estimates_lost(self, stamps: Iterable[int], missing: int) -> int:
        """Return how many estimates were lost.

        stamps: of the estimates that came [ns]; missing: how many did not.  On a bad line some
        instants have no reading; there an estimate is lost if only its status came.
        """
        return len(self.statuses.difference(stamps)) if self.bad_line else missing

    def real_time_factor(self) -> float | None:
        """Return simulated over wall time of the truth, None for too few states.

        The slope of stamps over wall time: a late first state hardly changes it.
        """
        published = list(self.published.items())
        if len(published) < 2:
            return None
        published = np.array(published[::1 + len(published) // ENOUGH], float)
        stamps, walls = (published - published[0]).T
        walls -= walls.mean()
        return float(walls @ stamps * 1e-9 / (walls @ walls)) if walls.any() else None


def missing(expected: np.ndarray, samples: Samples) -> int:
    """Return how many expected stamps (k) [ns] Samples do not have."""
    return int(np.setdiff1d(expected, samples.stamps).size)
