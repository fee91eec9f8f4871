"""The log of a run with a payload: the truth, the observer and the masses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.run_log.run_log import RunLog, missing
from mb_evaluation.run_log.samples import Samples
from mb_sensors import FaultSettings, Sensor

SETTLING_TIME = 5.0     # [s] after the first motion, and after a change of a mass


@dataclass(frozen=True)
class PayloadLayout:
    """Names of what a machine has; transition_velocity: of each cylinder (c) [m/s]."""

    independent: tuple[str, ...]        # (g)
    units: tuple[str, ...]              # of these (g)
    volumes: tuple[str, ...]            # (v)
    valves: tuple[str, ...]             # (u)
    masses: tuple[str, ...]             # (m)
    transition_velocity: np.ndarray


class PayloadLog(RunLog):
    """Collects all of a run until truth and masses have reached the end."""

    def __init__(self, start: int, duration: float, rate: float, layout: PayloadLayout,
                 sensors: Sequence[Sensor] = (), seed: int = 0,
                 faults: Mapping[str, FaultSettings] | None = None) -> None:
        """Expect a run as RunLog does, of a machine with a PayloadLayout."""
        super().__init__(start, duration, rate, sensors, seed, faults)
        self.layout = layout
        g, v, u, m = (len(x) for x in (layout.independent, layout.volumes, layout.valves,
                                       layout.masses))
        c = len(layout.transition_velocity)
        self.truth = Samples(g, g, g, c)                # z, zd, zdd, rates of the cylinders
        self.true_oil = Samples(v, u)                   # p, U
        self.estimate = Samples(g, g, g, c)
        self.oil = Samples(v, u, 3 * g + v + u)         # p, U, deviations of z, zd, zdd, p, U
        self.masses = Samples(m, m, m, 1)               # mass, raw, deviation, whether updating
        self.true_masses = Samples(m)
        self.streams = {
            'the prototype': self.truth, "the prototype's oil": self.true_oil,
            'the observer': self.estimate, "the observer's oil": self.oil,
            'the payload estimator': self.masses, 'the true mass': self.true_masses}
        self.commands = Samples(u)
        self.readings = {sensor.name: Samples(1) for sensor in sensors
                         if len(sensor.channels) == 1}
        self.reasons: dict[int, str] = {}    # stamp [ns] -> why not updating
        self.doubts: dict[int, str] = {}    # or why uncertain, though updating
        self.events: list[tuple[int, str]] = []    # (stamp [ns], text)
        self.measured: dict[str, str] = {}    # degree of freedom or volume -> name of its sensor

    def add_covariance(self, stamp: int, p: ArrayLike, U: ArrayLike, covariance: ArrayLike) -> None:
        """Note pressures, spools and the joint covariance of z, zd, zdd, p, U, row by row."""
        size = 3 * len(self.layout.independent) + len(p) + len(U)
        variances = (np.full(size, np.nan) if not len(covariance)
                     else np.array(covariance, float).reshape(size, size).diagonal())
        self.oil.add(stamp, p, U, np.sqrt(np.maximum(variances, 0.0)))

    def add_payload(self, stamp: int, mass: ArrayLike, raw: ArrayLike, deviation: ArrayLike,
                    updating: bool, reason: str = '', event: str = '') -> None:
        """Note estimates of the masses (m) [kg]."""
        self.masses.add(stamp, mass, raw, deviation, [updating])
        self.reasons[stamp] = '' if updating else reason
        self.doubts[stamp] = reason if updating else ''
        if event:
            self.events.append((stamp, event))

    @property
    def reached(self) -> int:
        """Stamp that truth and masses have reached [ns]."""
        return min(self.truth.newest, self.masses.newest)

    @property
    def finished(self) -> bool:
        """Return whether truth and masses have reached the end."""
        return (min(self.truth.newest, self.true_oil.newest) >= self.end
                and self.masses.newest >= self.due_readings.max(initial=self.start))

    @property
    def first_motion(self) -> int | None:
        """Stamp at which a cylinder first exceeds its transition velocity [ns], or None."""
        rates = self.truth.columns()[3]
        moving = (np.abs(rates) > self.layout.transition_velocity).any(axis=1)
        return int(self.truth.stamps[moving.argmax()]) if moving.any() else None

    def latest_error(self) -> np.ndarray | None:
        """Return the newest masses minus the true ones (m) [kg], or None."""
        if not len(self.masses) or not len(self.true_masses):
            return None
        return self.masses.latest[0] - self.true_masses.latest[0]

    def judged(self, stamps: np.ndarray) -> np.ndarray:
        """Return at which stamps (k) masses must be right: settled after motion and changes."""
        if self.first_motion is None:
            return np.zeros(len(stamps), bool)
        after = round(SETTLING_TIME * 1e9)
        held = (stamps >= self.first_motion + after) & (stamps <= self.end)
        values, when = self.true_masses.columns()[0], self.true_masses.stamps
        for k in range(1, len(when)):
            if (values[k] != values[k - 1]).any():
                held &= (stamps < when[k]) | (stamps >= when[k] + after)
        return held

    def lost(self) -> dict[str, int]:
        """Return how many messages of each kind were lost.

        Behind the end, in the bag of an interrupted run, an estimate may be the last message.
        """
        due = self.estimate.stamps[self.estimate.stamps <= self.end]
        return {'prototype': missing(self.expected, self.truth),
                'oil of the prototype': missing(self.expected, self.true_oil),
                'oil of the observer': missing(due, self.oil),
                'estimates': self.estimates_lost(self.estimate.stamps.tolist(),
                                                 self.estimate.missing()),
                'masses': missing(due, self.masses),
                'readings': self.readings_lost()}
