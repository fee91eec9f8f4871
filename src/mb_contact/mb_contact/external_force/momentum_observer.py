"""The momentum observer: forces from outside without accelerations, at the price of a delay."""

from dataclasses import dataclass
from math import inf

import numpy as np

from mb_contact.errors import ContactError
from mb_contact.external_force.driven_mechanism import DrivenMechanism
from mb_model.settings import Settings, setting


@dataclass(frozen=True)
class MomentumObserverSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (100.0,), unit='1/s',
        help='Gain of each degree of freedom, or one for all: the inverse of the delay')


class MomentumObserver:
    """Follows the force from outside on each degree of freedom as a first-order lag.

    Over a step, the force from outside is what changed the momentum M_bar zd beside drives and
    model: F = (p1 - p0) / h - mean of (F_m + C^T zd + R^T Q).  The estimate follows this mean
    exactly, by 1 - exp(-gain h), which is stable at any gain.
    Source: Mohammad et al. 2025, Eqs. (3), (4), there in continuous time.
    """

    Settings = MomentumObserverSettings

    def __init__(self, mechanism, drives=None, settings=None):
        """Set up at the mechanism's start; see DrivenMechanism.  Raises ContactError."""
        self.settings = settings or MomentumObserverSettings()
        self._driven = DrivenMechanism(mechanism, drives)
        gain = np.array(self.settings.gain)
        if gain.size not in (1, mechanism.g) or not (gain > 0.0).all():
            raise ContactError(f'gain: {list(gain)} must be one number > 0, or {mechanism.g}')
        self._gain = np.broadcast_to(gain, mechanism.g)
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd):
        """Start without force from outside at z, zd (g), on the branch of the file."""
        self._driven.settle(z)
        self.force = np.zeros(self._driven.g)
        self._note(*self._driven.momentum(z, zd))

    def update(self, dt, z, zd, torques):
        """Return the estimated force (g) at z, zd (g), dt [s] after the last state.

        torques (d) [N or N m]: of the drives, their mean over the step.  Raises MechanismError
        where there is no position or a singular one, ValueError.
        """
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        drive_before = self._driven.drive_forces(torques)
        momentum, rate = self._driven.momentum(z, zd)
        drive = (drive_before + self._driven.drive_forces(torques)) / 2.0
        outside = (momentum - self._momentum) / dt - (rate + self._rate) / 2.0 - drive
        self.force = self.force + -np.expm1(-self._gain * dt) * (outside - self.force)
        self._note(momentum, rate)
        return self.force.copy()

    def _note(self, momentum, rate):
        self._momentum, self._rate = momentum, rate
