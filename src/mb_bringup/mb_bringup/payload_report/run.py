"""One run with a payload as it is heard: the truth, the observer, the masses, and complaints."""

from dataclasses import dataclass

import numpy as np

from mb_bringup.accuracy.expected import delivered
from mb_bringup.accuracy.run import Counters
from mb_bringup.heard.complaints import Complaints
from mb_bringup.heard.samples import Samples

SETTLING_TIME = 5.0     # [s] after the first motion, and after a change of a mass


@dataclass(frozen=True)
class Layout:
    """Names of what a machine has; transition_velocity: of each cylinder (c) [m/s]."""

    independent: tuple[str, ...]        # (g)
    units: tuple[str, ...]              # of these (g)
    volumes: tuple[str, ...]            # (v)
    valves: tuple[str, ...]             # (u)
    masses: tuple[str, ...]             # (m)
    transition_velocity: np.ndarray


class PayloadRun:
    """Collects all of a run until truth and masses have reached the end."""

    def __init__(self, start, duration, rate, layout, sensors=(), seed=0, faults=None):
        """Expect the truth at start + k / rate up to start + duration (start in ns, duration in s).

        layout: a Layout; sensors: simulated Sensors whose readings are expected; seed: of their
        noise; faults: FaultSettings of those that fail, by name.
        """
        self.start, self.duration, self.layout = start, duration, layout
        count = round(duration * rate)
        self.expected = start + np.round(np.arange(count + 1) * 1e9 / rate).astype(np.int64)
        self.end = int(self.expected[-1])
        faults = faults or {}
        taken = [delivered(sensor, seed, self.expected, faults.get(sensor.name))
                 for sensor in sensors]
        self.readings_due = int(sum(there.sum() for there in taken))
        self.last_reading = max((int(self.expected[there][-1]) for there in taken if there.any()),
                                default=start)
        g, v, u, m = (len(x) for x in (layout.independent, layout.volumes, layout.valves,
                                       layout.masses))
        c = len(layout.transition_velocity)
        self.truth = Samples(g, g, g, c)                # z, zd, zdd, rates of the cylinders
        self.true_oil = Samples(v, u)                   # p, U
        self.estimate = Samples(g, g, g, c)
        self.oil = Samples(v, u, 3 * g + v + u)         # p, U, deviations of z, zd, zdd, p, U
        self.masses = Samples(m, m, m, 1)               # mass, raw, deviation, whether updating
        self.true_masses = Samples(m)
        self.commands = Samples(u)
        self.readings = {sensor.name: Samples(1) for sensor in sensors
                         if len(sensor.channels) == 1}
        self.reasons = {}                               # stamp [ns] -> why not updating
        self.events = []                                # (stamp [ns], text)
        self.complaints = Complaints()
        self.counters = Counters()
        self.step_times = []                            # of the filter [s]
        self.mixed = False                              # somebody else spoke on the same topics
        self.arrivals = {}                              # stamp of the truth [ns] -> wall time [s]

    def add_covariance(self, stamp, p, U, covariance):
        """Note pressures, spools and the joint covariance of z, zd, zdd, p, U, row by row."""
        size = 3 * len(self.layout.independent) + len(p) + len(U)
        variances = (np.full(size, np.nan) if not len(covariance)
                     else np.array(covariance, float).reshape(size, size).diagonal())
        self.oil.add(stamp, p, U, np.sqrt(np.maximum(variances, 0.0)))

    def add_payload(self, stamp, mass, raw, deviation, updating, reason='', event=''):
        """Note estimates of the masses (m) [kg]."""
        self.masses.add(stamp, mass, raw, deviation, [updating])
        self.reasons[stamp] = '' if updating else reason
        if event:
            self.events.append((stamp, event))

    @property
    def progress(self):
        """Simulated time that truth and masses have reached, after the start [s]."""
        return max(0.0, (min(self.truth.newest, self.masses.newest) - self.start) * 1e-9)

    @property
    def finished(self):
        """Tell whether truth and masses have reached the end."""
        return (min(self.truth.newest, self.true_oil.newest) >= self.end
                and self.masses.newest >= self.last_reading)

    @property
    def unheard(self):
        """What has not been heard yet."""
        streams = {'the prototype': self.truth, "the prototype's oil": self.true_oil,
                   'the observer': self.estimate, "the observer's oil": self.oil,
                   'the payload estimator': self.masses, 'the true mass': self.true_masses}
        return [name for name, samples in streams.items() if not len(samples)]

    @property
    def first_motion(self):
        """Stamp at which a cylinder first exceeds its transition velocity [ns], or None."""
        rates = self.truth.columns()[3]
        moving = (np.abs(rates) > self.layout.transition_velocity).any(axis=1)
        return int(self.truth.stamps[moving.argmax()]) if moving.any() else None

    def latest_error(self):
        """Return the newest masses minus the true ones (m) [kg], or None."""
        if not len(self.masses) or not len(self.true_masses):
            return None
        return self.masses.latest[0] - self.true_masses.latest[0]

    def judged(self, stamps):
        """Tell at which stamps (k) masses must be right: settled after motion and changes."""
        if self.first_motion is None:
            return np.zeros(len(stamps), bool)
        after = round(SETTLING_TIME * 1e9)
        held = (stamps >= self.first_motion + after) & (stamps <= self.end)
        values, when = self.true_masses.columns()[0], self.true_masses.stamps
        for k in range(1, len(when)):
            if (values[k] != values[k - 1]).any():
                held &= (stamps < when[k]) | (stamps >= when[k] + after)
        return held

    def lost(self):
        """Return how many messages of each kind were lost.

        A reading is lost if the estimator neither used nor rejected it.
        """
        got = self.counters.used + self.counters.rejected
        return {'prototype': _missing(self.expected, self.truth),
                'oil of the prototype': _missing(self.expected, self.true_oil),
                'oil of the observer': _missing(self.estimate.stamps, self.oil),
                'estimates': self.estimate.missing(),
                'masses': _missing(self.estimate.stamps, self.masses),
                'readings': max(0, self.readings_due - got)}

    def real_time_factor(self):
        """Return simulated over wall time of the truth, None for too few states."""
        if len(self.arrivals) < 2:
            return None
        stamps, walls = np.array(list(self.arrivals.items()), float).T
        return float(np.polyfit(walls - walls[0], (stamps - stamps[0]) * 1e-9, 1)[0])


def _missing(expected, samples):
    """Return how many expected stamps (k) [ns] are not there."""
    return int(np.setdiff1d(expected, samples.stamps).size)
