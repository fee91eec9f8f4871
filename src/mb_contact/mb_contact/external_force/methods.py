"""Methods that find forces from outside: by accelerations, or as observers of the momentum."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from mb_contact.external_force.driven_mechanism import DrivenMechanism
from mb_contact.kernels.external_force import (
    EXTENDED_STATE,
    FIRST_ORDER,
    SLIDING_MODE,
    direct_at,
    observe_at,
)
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray

_NONE = np.zeros(0)


class DirectMethod:
    """F_ext = M_x xdd + c_x + g_x + F_fr - F_m, without delay.

    The accelerations have to be measured or estimated, as by a filter with an accelerometer;
    differences of encoder readings are too noisy.  Source: Mohammad et al. 2025, Eq. (5).
    """

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None) -> None:
        """Set up; see DrivenMechanism."""
        self._driven = DrivenMechanism(mechanism, drives)

    def force(self, z: FloatArray, zd: FloatArray, zdd: FloatArray,
              torques: FloatArray) -> FloatArray:
        """Return the force from outside on each degree of freedom (g) [N or N m].

        z, zd, zdd (g): near the last state, or the file's; torques (d): of the drives.
        Raises MechanismError where there is no position or a singular one, ValueError.
        """
        driven = self._driven
        motion = [driven.numbers(name, values, driven.g)
                  for name, values in (('z', z), ('zd', zd), ('zdd', zdd))]
        if not direct_at(driven.models, driven.works, driven.records, *motion,
                         driven.torques(torques), _NONE):
            raise driven.singular(z)
        return driven.works['forces'][0, :driven.g].copy()


@dataclass(frozen=True)
class MomentumObserverSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (100.0,), unit='1/s',
        help='Gain of the momentum observer: of each degree of freedom, or one for all; the '
             'inverse of its delay')


class MomentumObserver:
    """Follows the force from outside on each degree of freedom as a first-order lag.

    See kernels.external_force.  Source: Mohammad et al. 2025, Eqs. (3), (4).
    """

    Settings: ClassVar[Any] = MomentumObserverSettings
    _law: ClassVar[int] = FIRST_ORDER       # see kernels.external_force

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


@dataclass(frozen=True)
class ExtendedStateSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (200.0,), unit='1/s',
        help='Bandwidth of the extended-state observer: of each degree of freedom, or one for all; '
             'a force that jumps is followed late by 2 / gain')


class ExtendedStateObserver(MomentumObserver):
    """Momentum and force from outside are states, both poles at -gain.

    See kernels.external_force.  Source: Gao 2003, "Scaling and bandwidth-parameterization".
    """

    Settings = ExtendedStateSettings
    _law = EXTENDED_STATE


@dataclass(frozen=True)
class SlidingModeSettings(Settings):
    """How fast the forces may change that the observer follows without delay."""

    gain: tuple[float, ...] = setting(
        (5000.0,), unit='N/s',
        help='Largest rate of a force [N/s or N m/s]: of each degree of freedom, or one for all; '
             'noise of the readings is followed as fast')


class SlidingModeObserver(MomentumObserver):
    """Follows the momentum by the super-twisting law, and so the force in finite time.

    See kernels.external_force.  Source: Garofalo et al. 2019, "Sliding mode momentum observers for
    estimation of external torques and joint acceleration".
    """

    Settings = SlidingModeSettings
    _law = SLIDING_MODE
