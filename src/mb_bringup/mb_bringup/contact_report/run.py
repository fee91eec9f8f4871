"""One run with contacts as it is heard: the truth, the estimates, forces, and what was told."""

from dataclasses import dataclass

import numpy as np

from mb_bringup.accuracy.expected import delivered
from mb_bringup.accuracy.run import Counters
from mb_bringup.heard.complaints import Complaints
from mb_bringup.heard.samples import Samples


@dataclass(frozen=True)
class Layout:
    """Names of what a machine has."""

    independent: tuple[str, ...]        # (g)
    units: tuple[str, ...]              # of these (g)
    drives: tuple[str, ...]             # (d)
    coordinates: int                    # n


@dataclass(frozen=True)
class Told:
    """A contact as the detector told it: first message, and what came to it."""

    stamp: int          # of the state that was judged [ns]
    method: str
    arrival: float      # wall time of the message [s]
    names: list         # (stamp, name, probability, point (2) or None) of the likeliest hypothesis


class ContactRun:
    """Collects all of a run until truth and detector have reached the end."""

    def __init__(self, start, duration, rate, layout, sensors=(), seed=0, faults=None):
        """Expect the truth at start + k / rate up to start + duration (start in ns, duration in s).

        layout: a Layout; sensors: simulated Sensors whose readings are expected; seed: of their
        noise; faults: FaultSettings of those that fail, by name.
        """
        self.start, self.duration, self.layout = start, duration, layout
        count = round(duration * rate)
        self.expected = start + np.round(np.arange(count + 1) * 1e9 / rate).astype(np.int64)
        self.end = int(self.expected[-1])
        self.readings_due = int(sum(
            delivered(sensor, seed, self.expected, (faults or {}).get(sensor.name)).sum()
            for sensor in sensors))
        g = len(layout.independent)
        self.truth = Samples(g, g, g, layout.coordinates)       # z, zd, zdd, q
        self.estimate = Samples(g, g, g)
        self.torques = Samples(len(layout.drives))
        self.forces = {}                    # method -> Samples of force and threshold
        self.contacts = {}                  # stamp [ns] -> true Contacts
        self.told = []
        self.complaints = Complaints()
        self.counters = Counters()
        self.step_times = []                # of the filter [s]
        self.judged = 0                     # newest stamp that the detector judged [ns]
        self.mixed = False                  # somebody else spoke on the same topics
        self.arrivals = {}                  # stamp of the truth [ns] -> wall time [s]
        self.delays = []                    # from there to the first word on that instant [s]
        self._detected = False

    def add_force(self, stamp, method, force, threshold):
        """Note the force (g) that a method tells, and beyond which (g) it counts."""
        g = len(self.layout.independent)
        self.forces.setdefault(method, Samples(g, g)).add(stamp, force, threshold)

    def add_judgement(self, stamp, detected, method, arrival, likeliest):
        """Note whether the detector tells a contact; likeliest: (name, probability, point)."""
        if stamp > self.judged and stamp in self.arrivals:
            self.delays.append(arrival - self.arrivals[stamp])
        self.judged = max(self.judged, stamp)
        if detected and not self._detected:
            self.told.append(Told(stamp, method, arrival, []))
        self._detected = detected
        if detected and likeliest:
            self.told[-1].names.append((stamp, *likeliest))

    @property
    def progress(self):
        """Simulated time that truth and detector have reached, after the start [s]."""
        return max(0.0, (min(self.truth.newest, self.judged) - self.start) * 1e-9)

    @property
    def finished(self):
        """Tell whether truth and detector have reached the end."""
        return min(self.truth.newest, self.judged) >= self.end

    @property
    def unheard(self):
        """What has not been heard yet."""
        streams = {'the prototype': len(self.truth), 'the estimator': len(self.estimate),
                   'the drives': len(self.torques), 'the contact detector': self.judged}
        return [name for name, heard in streams.items() if not heard]

    def lost(self):
        """Return how many messages of each kind were lost.

        A reading is lost if the estimator neither used nor rejected it.
        """
        got = self.counters.used + self.counters.rejected
        return {'prototype': int(np.setdiff1d(self.expected, self.truth.stamps).size),
                'estimates': self.estimate.missing(),
                'readings': max(0, self.readings_due - got)}

    def real_time_factor(self):
        """Return simulated over wall time of the truth, None for too few states."""
        if len(self.arrivals) < 2:
            return None
        stamps, walls = np.array(list(self.arrivals.items()), float).T
        return float(np.polyfit(walls - walls[0], (stamps - stamps[0]) * 1e-9, 1)[0])
