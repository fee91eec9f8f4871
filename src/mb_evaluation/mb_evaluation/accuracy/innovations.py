"""Innovations of a sensor: its readings minus the filter's predictions."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from mb_estimators import assess, whitened
from mb_evaluation.accuracy.errors import settled


def note(innovations: 'Iterable[Innovations]', stamp: int, channels: Sequence[str],
         values: np.ndarray, covariance: np.ndarray) -> None:
    """Note the readings of a stamp in the Innovations of the sensors with all channels in them.

    channels: names (k); values (k), covariance (k, k).
    """
    channels = list(channels)
    for one in innovations:
        if set(one.channels) <= set(channels):
            rows = [channels.index(channel) for channel in one.channels]
            one.add(stamp, values[rows], covariance[np.ix_(rows, rows)])


@dataclass
class Innovations:
    """The innovations of one sensor, in units of the covariance that the filter expects."""

    sensor: str
    channels: tuple[str, ...]
    stamps: array = field(default_factory=partial(array, 'q'))          # (k) [ns]
    _whitened: array = field(default_factory=partial(array, 'd'))       # row by row

    def add(self, stamp: int, values: np.ndarray, covariance: np.ndarray) -> None:
        """Note the innovation of all channels with the covariance that the filter expects."""
        self.stamps.append(stamp)
        self._whitened.frombytes(np.asarray(whitened(values, covariance), float).tobytes())

    @property
    def whitened(self) -> np.ndarray:
        """Innovations in units of the covariance (k, channels)."""
        return np.array(self._whitened).reshape(-1, len(self.channels))

    @property
    def nis(self) -> np.ndarray:
        """Normalized innovations squared (k)."""
        return np.sum(np.square(self.whitened), axis=1)

    @property
    def rate(self) -> float:
        """Innovations per second, by the median of the intervals."""
        return 1e9 / float(np.median(np.diff(self.stamps)))

    def seconds(self, start: int) -> np.ndarray:
        """Return the stamps as seconds after a start [ns]."""
        return (np.array(self.stamps) - start) * 1e-9

    def consistency(self, start: int, level: float = 0.95):
        """Return the SensorConsistency of the settled part of a run; level: see assess."""
        return assess(self.sensor, self.whitened[settled(self.seconds(start))], level)

    def figures(self, start: int, level: float = 0.95) -> dict[str, Any]:
        """Return the figures of consistency, and what is wrong in words, as a dictionary."""
        consistency = self.consistency(start, level)
        figures = asdict(consistency)
        del figures['sensor']
        return {**figures, 'consistent': consistency.is_consistent, 'verdict': consistency.verdict,
                'remark': consistency.remark}


def figures_of_all(innovations: 'Iterable[Innovations]', start: int) -> dict[str, dict[str, Any]]:
    """Return {sensor: figures} of Innovations; a filter with exact claims passes at 95 %."""
    there = [one for one in innovations if one.stamps]
    return {one.sensor: one.figures(start, 1.0 - 0.05 / len(there)) for one in there}
