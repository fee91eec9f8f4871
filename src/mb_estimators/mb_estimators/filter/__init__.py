"""The interface of filters, their capabilities, estimates and errors."""

from mb_estimators.filter.errors import (
    DivergenceError,
    FilterError,
    ImpossibleReadingError,
    NotConvergedError,
)
from mb_estimators.filter.estimate import Estimate, HydraulicEstimate, Innovation
from mb_estimators.filter.interface import (
    Acting,
    Assessing,
    AwareOfNoise,
    Doubting,
    Filter,
    Gating,
    OfMechanism,
    Rebuilding,
    Referring,
    Retroactive,
    Rewindable,
    Smoothable,
    WholeSmoothing,
    Widening,
    follows_any_acceleration,
    follows_rolling,
    moves_prescribed,
    needs_hydraulics,
    needs_masses,
    put_back,
    rebuild,
    refuses_orientations,
)

__all__ = [
    'Acting', 'Assessing', 'AwareOfNoise', 'DivergenceError', 'Doubting', 'Estimate', 'Filter',
    'FilterError', 'Gating',
    'HydraulicEstimate', 'ImpossibleReadingError', 'Innovation', 'NotConvergedError',
    'OfMechanism', 'Rebuilding', 'Referring', 'Retroactive', 'Rewindable', 'Smoothable',
    'WholeSmoothing', 'Widening', 'follows_any_acceleration', 'follows_rolling',
    'moves_prescribed', 'needs_hydraulics', 'needs_masses', 'put_back', 'rebuild',
    'refuses_orientations']
