"""One run with contacts as it is heard: the truth, the estimates, forces, and what was told."""

from dataclasses import dataclass

from mb_evaluation.run_log.run import HeardRun, missing
from mb_evaluation.run_log.samples import Samples


@dataclass(frozen=True)
class Layout:
    """Names of what a machine has."""

    independent: tuple[str, ...]        # (g)
    units: tuple[str, ...]              # of these (g)
    drives: tuple[str, ...]             # (d)
    coordinates: int                    # n


@dataclass
class Told:
    """A contact as the detector told it: first message, and what came to it."""

    stamp: int          # of the state that was judged [ns]
    method: str
    last: int           # stamp of the last state with this contact [ns]
    names: list         # (stamp, (name, probability, point (2) or None) of hypotheses, best first)


class ContactRun(HeardRun):
    """Collects all of a run until truth and detector have reached the end."""

    def __init__(self, start, duration, rate, layout, sensors=(), seed=0, faults=None):
        """Expect a run as HeardRun does, of a machine with a Layout."""
        super().__init__(start, duration, rate, sensors, seed, faults)
        self.layout = layout
        g = len(layout.independent)
        self.truth = Samples(g, g, g, layout.coordinates)       # z, zd, zdd, q
        self.estimate = Samples(g, g, g)
        self.torques = Samples(len(layout.drives))
        self.forces = {}                    # method -> Samples of force and threshold
        self.contacts = {}                  # stamp [ns] -> true Contacts
        self.told = []
        self.judged = 0                     # newest stamp that the detector judged [ns]
        self._first_words = {}              # stamp -> wall time of the first word on it [s]
        self._detected = False

    def add_force(self, stamp, method, force, threshold):
        """Note the force (g) that a method tells, and beyond which (g) it counts."""
        g = len(self.layout.independent)
        self.forces.setdefault(method, Samples(g, g)).add(stamp, force, threshold)

    def add_judgement(self, stamp, detected, method, published, hypotheses=()):
        """Note whether the detector tells a contact, in the order in which it does.

        published: wall time [s]; hypotheses: (name, probability, point (2) or None) of each, the
        likeliest first.
        """
        if stamp > self.judged:
            self._first_words[stamp] = published
            self.judged = stamp
        if detected and not self._detected:
            self.told.append(Told(stamp, method, stamp, []))
        self._detected = detected
        if detected:
            self.told[-1].last = max(self.told[-1].last, stamp)
            if hypotheses:
                self.told[-1].names.append((stamp, tuple(hypotheses)))

    @property
    def delays(self):
        """From publishing a truth to publishing its first judgement [s], while time passes.

        Late readings that are on their way at the end come when nothing has moved for a while.
        """
        end = max(self.published.values(), default=0.0)
        return [told - self.published[stamp] for stamp, told in self._first_words.items()
                if told <= end and stamp in self.published]

    @property
    def progress(self):
        """Simulated time that truth and detector have reached, after the start [s]."""
        return max(0.0, self.seconds(min(self.truth.newest, self.judged)))

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
        """Return how many messages of each kind were lost."""
        return {'prototype': missing(self.expected, self.truth),
                'estimates': self.estimates_lost(), 'readings': self.readings_lost()}
