"""Colours of curves and marks, by name, in the light and the dark look."""

LIGHT = {'truth': '#1a1a1a', 'model': '#d1622b', 'observer': '#1f77b4', 'band': '#9ecae1',
         'good': '#2a9d5c', 'settling': '#8a949e', 'faint': '#66737f', 'channel0': '#1f77b4',
         'channel1': '#2a9d5c', 'channel2': '#8e5ea2', 'channel3': '#c28e0e',
         'series0': '#2a9d5c', 'series1': '#8e5ea2', 'series2': '#c28e0e', 'series3': '#d1495b',
         'series4': '#00798c', 'series5': '#6d597a', 'series6': '#7f7f7f', 'series7': '#bcbd22'}
DARK = {'truth': '#f0f0f0', 'model': '#f08a52', 'observer': '#58b0f0', 'band': '#3f7ea8',
        'good': '#45c47f', 'settling': '#6f7b87', 'faint': '#93a0ad', 'channel0': '#58b0f0',
        'channel1': '#45c47f', 'channel2': '#bb8fd3', 'channel3': '#e0b43c',
        'series0': '#45c47f', 'series1': '#bb8fd3', 'series2': '#e0b43c', 'series3': '#f07a8a',
        'series4': '#3fb8cc', 'series5': '#a48bb5', 'series6': '#b0b0b0', 'series7': '#dede5a'}
CHANNELS = sum(name.startswith('channel') for name in LIGHT)    # that one panel can distinguish
SERIES = sum(name.startswith('series') for name in LIGHT)       # of what is compared


def parts(colour: str) -> tuple[str, float]:
    """Return name and opacity of a colour: 'band' or 'band/0.4'."""
    name, _, opacity = colour.partition('/')
    return name, float(opacity) if opacity else 1.0
