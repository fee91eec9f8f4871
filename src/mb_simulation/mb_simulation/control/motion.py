"""What a controller follows: a motion over time, from its start or back onto it.
"""

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

    def at(self, t: float) -> Motion:
        """Return the Motion at t [s]."""


class Following:
    """A trajectory of a machine that was interrupted.

    The machine goes back to where it left the trajectory, at rest there, and gathers
    speed along it: the rate of the trajectory's time grows like 3 u^2 - 2 u^3, in the same time as
    the return.
    """

    def __init__(self, trajectory: Trajectory, begin: float = 0.0, progress: float = 0.0,
                 return_motion: Trajectory | None = None) -> None:
        """Follow a Trajectory from a time `progress` of it on, at `begin` [s].

        return_motion: PolynomialTrajectory that leads there and ends at rest; None: it moves as the
        trajectory does already.
        """
        self.trajectory = trajectory
        self._begin, self._progress, self._return_motion = begin, progress, return_motion

    def at(self, t: float) -> Motion:
        """Return the Motion at t [s]."""
        if self._return_motion is not None and t < self._begin + self._return_motion.duration:
            return self._return_motion.at(t - self._begin)
        progress, rate, change = self._along(t)
        motion = self.trajectory.at(progress)
        if rate == 1.0 and change == 0.0:
            return motion
        z, zd, zdd = motion
        return Motion(z, rate * zd, rate * rate * zdd + change * zd)

    def progress(self, t: float) -> float:
        """Return the time along the trajectory at t [s]."""
        return self._along(t)[0]

    def _along(self, t: float) -> tuple[float, float, float]:
        """Return the time along the trajectory, its rate and the rate's derivative."""
        if self._return_motion is None:
            return self._progress + t - self._begin, 1.0, 0.0
        time = self._return_motion.duration
        u = max((t - self._begin) / time - 1.0, 0.0)
        if u > 1.0:
            return self._progress + time * (u - 0.5), 1.0, 0.0
        return (self._progress + time * u ** 3 * (1.0 - 0.5 * u), u * u * (3.0 - 2.0 * u),
                6.0 * u * (1.0 - u) / time)
