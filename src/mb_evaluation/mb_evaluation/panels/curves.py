"""Curves of a panel: lines, dots and bands.

Colours are names of the module `colours`, with an opacity if need be ('band/0.4').
"""

from dataclasses import dataclass

import numpy as np

REACH = 1.96    # deviations of a 95 % interval
TRUE = {'name': 'prototype (truth)', 'colour': 'truth/0.35', 'width': 4.0}      # of a Curve


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
