"""Forces from outside on the degrees of freedom of a mechanism whose drives are known."""

from mb_contact.external_force.direct_method import DirectMethod
from mb_contact.external_force.momentum_observer import (
    MomentumObserver,
    MomentumObserverSettings,
)

__all__ = ['DirectMethod', 'MomentumObserver', 'MomentumObserverSettings']
