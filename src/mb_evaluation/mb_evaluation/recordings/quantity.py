"""A quantity over time with its deviations: what estimates, forces and innovations are shown as."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mb_evaluation.accuracy.errors import QUANTITIES
from mb_evaluation.accuracy.track import Track
from mb_evaluation.panels.panel import REACH
from mb_model import Mechanism

MOTION = tuple(QUANTITIES)                  # kinds of quantities: position, velocity, acceleration
UNKNOWN, KNOWN, ACTUAL = 'unknown force', 'known force', 'true force'
PRESSURE, SPOOL, COMMAND = 'pressure', 'spool', 'command'
PARAMETER, INNOVATION, NIS = 'parameter', 'innovation', 'NIS'
TORQUE = 'N m'      # unit of a force on an angle
SAME = 1e-9         # of the largest value: so near are two numbers that are the same


@dataclass(frozen=True)
class Quantity:
    """Numbers at stamps (k) [ns], ordered, with standard deviations (k), NaN where unknown.

    kind: see above; name: of the degree of freedom, volume, channel or the like.
    """

    kind: str
    name: str
    unit: str
    stamps: np.ndarray
    values: np.ndarray
    deviations: np.ndarray

    @property
    def title(self) -> str:
        """What it is, and of what: 'yaw position', 'unknown torque at yaw'."""
        if self.kind not in (UNKNOWN, KNOWN, ACTUAL):
            return f'{self.name} {self.kind}'
        kind = self.kind.replace('force', 'torque') if self.unit == TORQUE else self.kind
        return f'{kind} at {self.name}'

    @property
    def label(self) -> str:
        """The title with the unit."""
        return f'{self.title} [{self.unit}]' if self.unit else self.title

    @property
    def has_interval(self) -> bool:
        """Whether any deviation is known."""
        return bool(np.isfinite(self.deviations).any())

    @property
    def half(self) -> np.ndarray:
        """Half of the 95 % interval (k)."""
        return REACH * self.deviations

    def seconds(self, start: int) -> np.ndarray:
        """Return the stamps as seconds after a start [ns]."""
        return (self.stamps - start) * 1e-9


class Samples:
    """Collects quantities; the last number that is given for a stamp counts."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str, str], dict[int, tuple[float, float]]] = {}

    def add(self, kind: str, name: str, unit: str, stamp: int, value: float,
            deviation: float = np.nan) -> None:
        """Note a number and its standard deviation at a stamp [ns]."""
        self._of.setdefault((kind, name, unit), {})[stamp] = float(value), float(deviation)

    def add_all(self, kind: str, units: Mapping[str, str], stamp: int, values: Iterable[float],
                deviations: Iterable[float] | None = None) -> None:
        """Note a number of each of several names; units: by these."""
        known = [np.nan] * len(units) if deviations is None else deviations
        for (name, unit), value, deviation in zip(units.items(), values, known, strict=True):
            self.add(kind, name, unit, stamp, value, deviation)

    def quantities(self) -> list[Quantity]:
        """Return what was noted, ordered by stamp."""
        quantities = []
        for (kind, name, unit), samples in self._of.items():
            stamps = sorted(samples)
            values = np.array([samples[stamp] for stamp in stamps], float).reshape(-1, 2)
            quantities.append(Quantity(kind, name, unit, np.array(stamps, np.int64), values[:, 0],
                                       values[:, 1]))
        return quantities


def not_restated(quantities: Sequence[Quantity]) -> list[Quantity]:
    """Return Quantities without the parameters that only restate an unknown force.

    A filter that has the force on a degree of freedom among its parameters gives both.
    """
    forces = [one for one in quantities if one.kind == UNKNOWN]
    return [one for one in quantities if one.kind != PARAMETER or not any(
        _are_equal(one, force) for force in forces)]


def _are_equal(one: Quantity, other: Quantity) -> bool:
    """Return whether Quantities have the same values, but for rounding, at their common stamps."""
    _, ours, theirs = np.intersect1d(one.stamps, other.stamps, return_indices=True)
    largest = np.abs(other.values[theirs]).max(initial=0.0)
    return bool(largest > 0.0 and np.allclose(
        one.values[ours], other.values[theirs], rtol=0.0, atol=SAME * largest))


def force_units(mechanism: Mechanism) -> dict[str, str]:
    """Return the unit of a force on each degree of freedom, by name."""
    return {name: TORQUE if mechanism.unit(name) == 'rad' else 'N'
            for name in mechanism.independent}


def motion_quantities(mechanism: Mechanism, track: Track) -> list[Quantity]:
    """Return position, velocity and acceleration of each degree of freedom of a Track in turn.

    Orientations are counted on from the start of the track.
    """
    if not len(track):
        return []
    motion = track.shown(track), track.zd, track.zdd
    return [Quantity(kind, name, mechanism.unit(name) + per, track.stamps, values[:, k],
                     deviations[:, k])
            for k, name in enumerate(mechanism.independent)
            for (kind, per), values, deviations in zip(QUANTITIES.items(), motion,
                                                       track.deviations, strict=True)]
