"""Colours of the pictures of a run."""

TRUTH, MODEL, OBSERVER = '#1a1a1a', '#d1622b', '#1f77b4'
BAND = '#9ecae1'
