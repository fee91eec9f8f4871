"""Settings that fit recordings best, found by search."""

from mb_estimators.tuning.tune import Tuned, tune

__all__ = ['Tuned', 'tune']
