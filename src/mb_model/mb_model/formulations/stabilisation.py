"""How formulations in dependent coordinates hold their constraints."""

from dataclasses import dataclass

from mb_model.record import PENALTY
from mb_model.settings import Settings, setting


@dataclass(frozen=True)
class StabilisationSettings(Settings):
    """A violated constraint goes back like a spring-damper (Baumgarte's stabilisation)."""

    natural_frequency: float = setting(10.0, unit='1/s', at_least=0.0,
                                       help='Natural frequency of the return; 0: none')
    damping_ratio: float = setting(1.0, at_least=0.0, help='Its damping ratio; 1: critical')


@dataclass(frozen=True)
class PenaltyInertiaSettings(Settings):
    """What the penalty method has beside stabilisation."""

    penalty: float = setting(PENALTY, above=0.0,
                             help='Inertia of a violated constraint, in masses of the heaviest '
                                  'body')


@dataclass(frozen=True)
class PenaltySettings(PenaltyInertiaSettings, StabilisationSettings):
    """The penalty method."""
