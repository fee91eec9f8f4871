"""Colours of the pictures of a run."""

TRUTH, MODEL, OBSERVER = '#1a1a1a', '#d1622b', '#1f77b4'
BAND = '#9ecae1'
CHANNEL_COLOURS = ('#1f77b4', '#2a9d5c', '#8e5ea2', '#c28e0e')
MANY = len(CHANNEL_COLOURS)     # that one panel can tell apart
