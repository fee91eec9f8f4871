"""The log of a run: expected messages, its time, and the reports of its nodes."""

from array import array
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_evaluation.run_log.diagnostics import Complaints
from mb_evaluation.run_log.samples import Samples
from mb_sensors import FaultSettings, Sensor, SimulatedSensor

_MOST = 10                  # steps of which a report gives the time


class TimeOfRun:
    """Notes the messages on /clock, and their publishers.

    publishers: in words, if there were several at once.  A wrong step ahead shows by the step back
    that follows it; a monitor that stood still misses some of the messages.
    """

    def __init__(self, start: int) -> None:
        """Set up for a run that begins at a stamp [ns]."""
        self._start, self._last = start, None
        self._steps, self._first = 0, []        # steps back: how many; the first ones, from and to
        self.publishers = ''

    def tick(self, stamp: int) -> None:
        """Note a stamp [ns] on /clock."""
        if self._last is not None and stamp < self._last:
            self._steps += 1
            if len(self._first) < _MOST:
                self._first.append((self._last, stamp))
        self._last = stamp

    def figures(self) -> dict[str, Any]:
        """Return the figures for a report, with times after the start [s]."""
        return {'steps_back': self._steps, 'publishers': self.publishers, 'first_steps': [
            {'from': 1e-9 * (before - self._start), 'to': 1e-9 * (after - self._start)}
            for before, after in self._first]}


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
    properties `reached` (stamp [ns] that every stream has reached) and `finished`, a method lost(),
    and `streams`: name -> its messages.
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
        self.step_times = array('d')    # of the filter [s]
        self.mixed = False              # another run has published on the same topics
        self.bad_line = None            # a BadLine, where readings are disturbed on purpose
        self.statuses: set[int] = set()    # stamps of the reports of the estimator [ns]
        self.strangers = 0              # messages that were stamped outside of the run
        self.time = TimeOfRun(start)
        self.published: dict[int, float] = {}    # stamp of the truth [ns] -> wall time [s]
        self.streams: Mapping[str, Sized] = {}

    @property
    def newest_truth(self) -> int:
        """Newest stamp of the truth [ns]."""
        return self.truth.newest

    @property
    def silent(self) -> list[str]:
        """Streams without any message yet."""
        return [name for name, messages in self.streams.items() if not len(messages)]

    @property
    def progress(self) -> float:
        """Simulated time that every stream has reached, after the start [s]."""
        return max(0.0, self.seconds(self.reached))

    def admits(self, stamp: int) -> bool:
        """Return whether a stamp [ns] may be of this run; if not, count it in `strangers`."""
        inside = self.start <= stamp <= self.end + AFTER
        self.strangers += not inside
        return inside

    def seconds(self, stamp: int | np.ndarray) -> Any:
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


def delivered(sensor: Sensor, seed: int, stamps: np.ndarray,
              faults: FaultSettings | None = None) -> np.ndarray:
    """Return when a simulated Sensor takes the readings that it delivers [ns] (k).

    stamps: of the truth [ns]; readings may fall between them.  A reading is delivered if it is due
    and does not drop out.  Seed and sensor decide drop-outs, so a configured drop-out is no lost
    message, nor is a reading that FaultSettings suppress.
    """
    device, unknown = SimulatedSensor(sensor, seed, faults), np.zeros(len(sensor.channels))
    taken = []
    for stamp in stamps.tolist():
        due = device.due(stamp)
        taken += [at for number, at in due
                  if device.send(at, number, device.noise.reading(number, unknown).tolist())]
    return np.array(taken, np.int64)
