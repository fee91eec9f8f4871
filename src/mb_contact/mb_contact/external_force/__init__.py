"""Forces from outside on the degrees of freedom of a mechanism whose drives are known."""

from mb_contact.external_force.methods import (
    DirectMethod,
    ExtendedStateObserver,
    ExtendedStateSettings,
    MomentumObserver,
    MomentumObserverSettings,
    SlidingModeObserver,
    SlidingModeSettings,
)

__all__ = ['DirectMethod', 'ExtendedStateObserver', 'ExtendedStateSettings', 'MomentumObserver',
           'MomentumObserverSettings', 'SlidingModeObserver', 'SlidingModeSettings']
