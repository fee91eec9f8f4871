"""What a controller follows: a motion of the degrees of freedom over time."""

from typing import NamedTuple, Protocol

import numpy as np


class Motion(NamedTuple):
    """Degrees of freedom, their velocities and accelerations at one instant (g)."""

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray


class Trajectory(Protocol):
    """A motion for all times from 0 on."""

    @property
    def duration(self) -> float:
        """Time until it rests or begins to repeat itself [s]."""

    def at(self, t) -> Motion:
        """Return the Motion at t [s]."""
