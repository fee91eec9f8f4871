"""Samples of a cylinder's friction force, with their deviations."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from mb_model.arrays import Selection


@dataclass(frozen=True)
class FrictionSamples:
    """Friction against the motion of a cylinder or coordinate at k instants, from its motion.

    t [s]: increasing within a recording; velocity [m/s]; force [N]; piston_pressure, rod_pressure:
    gauge pressures [Pa], of a coordinate the load and the effort of its drive [N or N m];
    velocity_deviation [m/s], force_deviation [N]: 1 sigma; recording: its number.
    """

    t: np.ndarray
    velocity: np.ndarray
    force: np.ndarray
    piston_pressure: np.ndarray
    rod_pressure: np.ndarray
    velocity_deviation: np.ndarray
    force_deviation: np.ndarray
    recording: np.ndarray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, chosen: Selection) -> 'FrictionSamples':
        """Return the samples chosen by a mask or a slice."""
        return FrictionSamples(*(getattr(self, f.name)[chosen] for f in fields(self)))


def joined(parts: Sequence[FrictionSamples]) -> FrictionSamples:
    """Return the samples of several recordings as one, numbered in their order."""
    values = {f.name: np.concatenate([getattr(part, f.name) for part in parts])
              for f in fields(FrictionSamples)}
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return FrictionSamples(**values | {'recording': numbers})
