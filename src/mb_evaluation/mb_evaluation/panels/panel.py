"""A panel: curves over an axis, with marks; pictures and pages draw the same.

Colours are names, with an opacity if need be ('band/0.4'), of a light and a dark look.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

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


REACH = 1.96    # deviations of a 95 % interval
# Of a Curve
TRUE: dict[str, Any] = {'name': 'prototype (truth)', 'colour': 'truth/0.35', 'width': 4.0}


@dataclass(frozen=True)
class Curve:
    """Numbers y (k) over x (k), as a line or as dots."""

    name: str
    x: np.ndarray
    y: np.ndarray
    colour: str
    width: float = 1.6                      # of the line, or of a dot [pixels]
    dash: str = 'solid'                     # or 'dash' or 'dot'
    dots: bool = False
    held: bool = False                      # from one number to the next
    reach: np.ndarray | None = None         # half of the 95 % interval (k), shown beside y


@dataclass(frozen=True)
class Band:
    """The region between low and high (k) over x (k), where both are finite."""

    name: str
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = 'band/0.55'


TIME = 'time'   # the axis that panels share, from zero to the end of the run


@dataclass(frozen=True)
class Mark:
    """A region from low to high, or a line at low, behind the curves."""

    low: float
    high: float | None      # None: a line
    across: bool            # whether of the axis across, else of that up
    colour: str
    name: str = ''
    dash: str = 'solid'     # of a line, or 'dash' or 'dot'
    width: float = 1.0      # of a line [pixels]


@dataclass(frozen=True)
class Panel:
    """Curves and bands under a title, and Marks; see region, between, level, moment."""

    title: str
    unit: str                               # of the axis up
    curves: tuple[Curve | Band, ...]
    marks: tuple[Mark, ...] = ()
    reach: tuple[float, float] | None = None    # lowest and highest number shown at first
    across: str = TIME                      # or the name of another axis
    across_unit: str = 's'
    since: str = ''                         # what times count from, unless it is a run's begin
    log: bool = False                       # shown in powers
    wide: bool = False                      # over all columns of a page
    note: str = ''                          # shown beside the title


def region(begin: float, end: float, colour: str, name: str = '') -> Mark:
    """Return the Mark of a time from begin to end."""
    return Mark(begin, end, True, colour, name)


def between(low: float, high: float, colour: str, name: str = '') -> Mark:
    """Return the Mark of all numbers from low to high."""
    return Mark(low, high, False, colour, name)


def level(y: float, colour: str, name: str = '', dash: str = 'solid',
          width: float = 1.0) -> Mark:
    """Return the Mark of one number at all times."""
    return Mark(y, None, False, colour, name, dash, width)


def moment(x: float, colour: str, name: str = '', dash: str = 'solid',
           width: float = 1.0) -> Mark:
    """Return the Mark of an instant."""
    return Mark(x, None, True, colour, name, dash, width)
