"""Estimates from all readings of a recording, also the later ones."""

from mb_estimators.smoothing.smooth import Smoothed, smooth

__all__ = ['Smoothed', 'smooth']
