"""The log of a run with contacts: the truth, the estimates, forces and detected contacts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.run_log.run_log import RunLog, missing
from mb_evaluation.run_log.samples import Samples
from mb_sensors import FaultSettings, Sensor

LATE = 0.3      # a detection so long after the last force belongs to the contact still [s]


@dataclass(frozen=True)
class ContactLayout:
    """Names of what a machine has."""

    independent: tuple[str, ...]        # (g)
    units: tuple[str, ...]              # of these (g)
    drives: tuple[str, ...]             # (d)
    coordinates: int                    # n


@dataclass
class DetectedContact:
    """A contact as the detector reported it: the first message, and what later ones added."""

    stamp: int          # of the state that was judged [ns]
    method: str
    last: int           # stamp of the last state with this contact [ns]
    names: list         # (stamp, (name, probability, point (d) or None) of hypotheses, best first)


class ContactLog(RunLog):
    """Collects all of a run until truth and detector have reached the end."""

    def __init__(self, start: int, duration: float, rate: float, layout: ContactLayout,
                 sensors: Sequence[Sensor] = (), seed: int = 0,
                 faults: Mapping[str, FaultSettings] | None = None) -> None:
        """Expect a run as RunLog does, of a machine with a ContactLayout."""
        super().__init__(start, duration, rate, sensors, seed, faults)
        self.layout = layout
        g = len(layout.independent)
        self.truth = Samples(g, g, g, layout.coordinates)       # z, zd, zdd, q
        self.estimate = Samples(g, g, g)
        self.torques = Samples(len(layout.drives))
        self.forces: dict[str, Samples] = {}    # method -> Samples of force and threshold
        self.contacts: dict[int, Sequence[Any]] = {}    # stamp [ns] -> true Contacts
        self.detected: list[DetectedContact] = []
        self.episodes: Sequence[Any] = ()    # true contacts, found once the run is over
        self.judged = 0                     # newest stamp that the detector judged [ns]
        self._first_reports: dict[int, float] = {}  # stamp -> wall time of the first report [s]
        self.streams = {'the prototype': self.truth, 'the estimator': self.estimate,
                        'the drives': self.torques, 'the contact detector': self._first_reports}
        self._in_contact = False

    def add_force(self, stamp: int, method: str, force: ArrayLike, threshold: ArrayLike) -> None:
        """Note the force (g) that a method estimates, and beyond which (g) it counts."""
        g = len(self.layout.independent)
        self.forces.setdefault(method, Samples(g, g)).add(stamp, force, threshold)

    def add_judgement(self, stamp: int, detected: bool, method: str, published: float,
                      hypotheses: Sequence[tuple[str, float, np.ndarray | None]] = ()) -> None:
        """Note whether the detector reports a contact, in the order of its reports.

        published: wall time [s]; hypotheses: (name, probability, point (d) or None) of each, the
        likeliest first.  A contact after the end is not of the run.
        """
        if stamp > self.judged:
            self._first_reports[stamp] = published
            self.judged = stamp
        detected = detected and stamp <= self.end
        if detected and not self._in_contact:
            self.detected.append(DetectedContact(stamp, method, stamp, []))
        self._in_contact = detected
        if detected:
            self.detected[-1].last = max(self.detected[-1].last, stamp)
            if hypotheses:
                self.detected[-1].names.append((stamp, tuple(hypotheses)))

    @property
    def contacts_detected(self) -> int:
        """How many contacts were detected: one that is detected again soon after is the same."""
        begun, last = 0, None
        for one in self.detected:
            begun += last is None or one.stamp > last + LATE * 1e9
            last = max(last or one.last, one.last)
        return begun

    @property
    def delays(self) -> list[float]:
        """From publishing a truth to publishing its first judgement [s], while time passes.

        Late readings still on their way at the end arrive when nothing has moved for a while.
        """
        end = max(self.published.values(), default=0.0)
        return [reported - self.published[stamp] for stamp, reported in self._first_reports.items()
                if reported <= end and stamp in self.published]

    @property
    def reached(self) -> int:
        """Stamp that truth and detector have reached [ns]."""
        return min(self.truth.newest, self.judged)

    @property
    def finished(self) -> bool:
        """Return whether truth and detector have reached the end."""
        return self.reached >= self.end

    def lost(self) -> dict[str, int]:
        """Return how many messages of each kind were lost."""
        return {'prototype': missing(self.expected, self.truth),
                'estimates': self.estimates_lost(self.estimate.stamps.tolist(),
                                                 self.estimate.missing()),
                'readings': self.readings_lost()}
