"""Forces from outside on the degrees of freedom of a mechanism whose drives are known."""

from mb_contact.external_force.direct_method import DirectMethod
from mb_contact.external_force.momentum_observer import (
    MomentumObserver,
    MomentumObserverSettings,
)
from mb_contact.external_force.other_observers import (
    ExtendedStateObserver,
    ExtendedStateSettings,
    SlidingModeObserver,
    SlidingModeSettings,
)

__all__ = ['DirectMethod', 'ExtendedStateObserver', 'ExtendedStateSettings', 'MomentumObserver',
           'MomentumObserverSettings', 'SlidingModeObserver', 'SlidingModeSettings']
