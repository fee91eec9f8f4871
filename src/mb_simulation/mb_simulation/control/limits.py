"""How fast degrees of freedom may move: lengths by their joint velocity, angles likewise."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Limits:
    """Largest speeds and accelerations of lengths [m] and of angles [rad], each as a vector's size.

    angles (g): which degrees of freedom are angles.
    """

    speed: float                    # [m/s]
    acceleration: float             # [m/s^2]
    turning_speed: float            # [rad/s]
    turning_acceleration: float     # [rad/s^2]
    angles: tuple[bool, ...]

    @classmethod
    def of(cls, mechanism, settings):
        """Return the Limits in settings for the degrees of freedom of a mechanism."""
        return cls(settings.speed, settings.acceleration, settings.turning_speed,
                   settings.turning_acceleration,
                   tuple(mechanism.unit(name) == 'rad' for name in mechanism.independent))

    def sizes(self, vectors):
        """Return the sizes of the lengths and of the angles in vectors (..., g): (..., 2)."""
        angles = np.array(self.angles)
        return np.stack([np.linalg.norm(np.where(chosen, vectors, 0.0), axis=-1)
                         for chosen in (~angles, angles)], axis=-1)

    def shares(self, zd, zdd):
        """Return the largest speed and acceleration of motions (..., g) as shares of the limits."""
        return (float((self.sizes(zd) / (self.speed, self.turning_speed)).max()),
                float((self.sizes(zdd) / (self.acceleration, self.turning_acceleration)).max()))
