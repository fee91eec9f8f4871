"""The momentum observer: forces from outside without accelerations, but with a delay."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from mb_contact.external_force.driven_mechanism import DrivenMechanism
from mb_contact.kernels.external_force import observe_at
from mb_contact.kernels.observer import FIRST_ORDER
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class MomentumObserverSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (100.0,), unit='1/s',
        help='Gain of the momentum observer: of each degree of freedom, or one for all; the '
             'inverse of its delay')


class MomentumObserver:
    """Follows the force from outside on each degree of freedom as a first-order lag.

    See kernels.observer.  Source: Mohammad et al. 2025, Eqs. (3), (4).
    """

    Settings: ClassVar[Any] = MomentumObserverSettings
    _law: ClassVar[int] = FIRST_ORDER       # see kernels.observer

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None,
                 settings: Any = None) -> None:
        """Set up at the mechanism's start; see DrivenMechanism.  Raises ContactError."""
        self.settings = settings or self.Settings()
        self._driven = DrivenMechanism(mechanism, drives)
        self._observers = self._driven.observers(self.settings.gain, self._law)
        self._force = self._observers['force'][0, :mechanism.g]
        self.reset(mechanism.z0, mechanism.zd0)

    @property
    def force(self) -> FloatArray:
        """The estimate (g) [N or N m]."""
        return self._force.copy()

    def reset(self, z: FloatArray, zd: FloatArray) -> None:
        """Start without force from outside at z, zd (g), on the branch of the file."""
        self._driven.settle(z)
        self._observers['noted'] = 0
        self._force[:] = 0.0
        self._observe(inf, z, zd, np.zeros(len(self._driven.drives)))

    def update(self, dt: float, z: FloatArray, zd: FloatArray, torques: FloatArray) -> FloatArray:
        """Return the estimated force (g) at z, zd (g), dt [s] after the last state.

        torques (d) [N or N m]: of the drives, their mean over the step.  Raises MechanismError
        where there is no position or a singular one, ValueError.
        """
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        self._observe(dt, z, zd, torques)
        return self.force

    def _observe(self, dt, z, zd, torques):
        driven = self._driven
        if not observe_at(driven.models, driven.works, driven.records, self._observers, dt,
                          driven.numbers('z', z, driven.g), driven.numbers('zd', zd, driven.g),
                          driven.torques(torques)):
            raise driven.singular(z)
