"""Kalman filters on multibody models behind one plugin interface."""

from mb_estimators.experiment import Experiment, three_simulation
from mb_estimators.filter import (
    DivergenceError,
    Estimate,
    Filter,
    FilterError,
    ImpossibleReadingError,
    Innovation,
)
from mb_estimators.monte_carlo import monte_carlo
from mb_estimators.plugins import available_filters, make_filter
from mb_estimators.recording.recording import Recording
from mb_estimators.recording.result import Result
from mb_estimators.smoothing import Smoothed, smooth

__all__ = [
    'DivergenceError', 'Estimate', 'Experiment', 'Filter', 'FilterError',
    'ImpossibleReadingError', 'Innovation', 'Recording', 'Result', 'Smoothed',
    'available_filters', 'make_filter', 'monte_carlo', 'smooth', 'three_simulation']
