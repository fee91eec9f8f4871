"""States as trees of dataclasses, arrays and plain values, copied and put back as a whole."""

from mb_estimators.state.declared import state_class
from mb_estimators.state.whole import copied, layout, restore

__all__ = ['copied', 'layout', 'restore', 'state_class']
