"""Observers of the momentum that follow the force by other laws than a first-order lag."""

from dataclasses import dataclass

from mb_contact.external_force.momentum_observer import MomentumObserver
from mb_contact.kernels.observer import EXTENDED_STATE, SLIDING_MODE
from mb_model import Settings, setting


@dataclass(frozen=True)
class ExtendedStateSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (200.0,), unit='1/s',
        help='Bandwidth of the extended-state observer: of each degree of freedom, or one for all; '
             'a force that jumps is followed late by 2 / gain')


class ExtendedStateObserver(MomentumObserver):
    """Momentum and force from outside are states, both poles at -gain.

    See kernels.observer.  Source: Gao 2003, "Scaling and bandwidth-parameterization".
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

    See kernels.observer.  Source: Garofalo et al. 2019, "Sliding mode momentum observers for
    estimation of external torques and joint acceleration".
    """

    Settings = SlidingModeSettings
    _law = SLIDING_MODE
