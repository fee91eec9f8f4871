"""What a panel shows of numbers over time: lines, dots and bands, as plotly.js draws them.

Colours are names of the page's style ('--observer'), with an opacity if need be ('--band/0.4'):
the page gives them the values of its light or dark look.
"""

from base64 import b64encode
from dataclasses import dataclass

import numpy as np

from mb_evaluation.panels.decimation import kept


@dataclass(frozen=True)
class Curve:
    """Numbers y (k) over x (k), as a line or as dots."""

    name: str
    x: np.ndarray
    y: np.ndarray
    colour: str
    width: float = 1.6                      # of the line, or of a dot [pixels]
    dash: str = 'solid'
    dots: bool = False
    held: bool = False                      # from one number to the next
    reach: np.ndarray | None = None         # half of the 95 % interval (k), told beside y

    @property
    def columns(self):
        """How many arrays the page has to hold."""
        return 2 if self.reach is None else 3

    def drawn(self, most):
        """Return the trace for plotly.js, of at most `most` points."""
        chosen = kept(self.y, most)
        trace = {'type': 'scatter', 'name': self.name, 'x': packed(self.x[chosen]),
                 'y': packed(self.y[chosen]), 'hovertemplate': '%{y:.5~g}'}
        if self.dots:
            trace |= {'mode': 'markers', 'marker': {'color': self.colour, 'size': self.width}}
        else:
            trace |= {'mode': 'lines', 'line': {
                'color': self.colour, 'width': self.width, 'dash': self.dash,
                'shape': 'hv' if self.held else 'linear'}}
        if self.reach is not None:
            trace |= {'customdata': packed(self.reach[chosen]),
                      'hovertemplate': '%{y:.5~g} ± %{customdata:.2~g}'}
        return trace


@dataclass(frozen=True)
class Band:
    """The region between low and high (k) over x (k); where they are not finite there is none."""

    name: str
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = '--band/0.55'
    columns = 4

    def drawn(self, most):
        """Return the trace for plotly.js, of at most twice `most` points."""
        known = np.isfinite(self.low) & np.isfinite(self.high)
        x, low, high = self.x[known], self.low[known], self.high[known]
        above, below = kept(high, most), kept(low, most)[::-1]
        return {'type': 'scatter', 'name': self.name, 'mode': 'lines', 'fill': 'toself',
                'x': packed(np.concatenate([x[above], x[below]])),
                'y': packed(np.concatenate([high[above], low[below]])),
                'fillcolor': self.colour, 'line': {'width': 0}, 'hoverinfo': 'skip'}


def packed(values):
    """Return numbers as plotly.js takes them in the least space, with seven digits."""
    return {'dtype': 'f4', 'bdata': b64encode(np.asarray(values, '<f4').tobytes()).decode()}
