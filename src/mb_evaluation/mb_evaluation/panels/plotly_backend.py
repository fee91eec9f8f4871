"""Panels as plotly.js draws them, in the page's own colours, with few points of the same course."""

from base64 import b64encode
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.panels.panel import TIME, Band, Curve, Mark, Panel


def arrays_of(panel: Panel) -> int:
    """Return how many arrays a page has to hold for a Panel."""
    return sum(4 if isinstance(one, Band) else 2 if one.reach is None else 3
               for one in panel.curves)


def drawn(panel: Panel, most: int) -> dict[str, Any]:
    """Return a Panel as the page's script draws it, with at most `most` points a curve."""
    up = {'title': {'text': panel.unit}, 'type': 'log' if panel.log else 'linear'}
    if panel.reach is not None and np.isfinite(panel.reach).all():
        up['range'] = (np.log10(panel.reach) if panel.log else np.array(panel.reach)).tolist()
    return {'data': [trace(one, most) for one in panel.curves], 'up': up,
            'across': 'time' if panel.across == TIME else panel.across_unit,
            'marks': [_shape(mark) for mark in panel.marks]}


def trace(shown: Curve | Band, most: int) -> dict[str, Any]:
    """Return the trace of a Curve of at most `most` points, of a Band of at most twice as many."""
    return _band(shown, most) if isinstance(shown, Band) else _curve(shown, most)


def _curve(curve: Curve, most: int):
    chosen = kept(curve.y, most)
    shown = {'type': 'scatter', 'name': curve.name, 'x': packed(curve.x[chosen]),
             'y': packed(curve.y[chosen]), 'hovertemplate': '%{y:.5~g}'}
    if curve.dots:
        shown |= {'mode': 'markers', 'marker': {'color': _css(curve.colour), 'size': curve.width}}
    else:
        shown |= {'mode': 'lines', 'line': {
            'color': _css(curve.colour), 'width': curve.width, 'dash': curve.dash,
            'shape': 'hv' if curve.held else 'linear'}}
    if curve.reach is not None:
        shown |= {'customdata': packed(curve.reach[chosen]),
                  'hovertemplate': '%{y:.5~g} ± %{customdata:.2~g}'}
    return shown


def _band(band: Band, most: int):
    known = np.isfinite(band.low) & np.isfinite(band.high)
    x, low, high = band.x[known], band.low[known], band.high[known]
    above, below = kept(high, most), kept(low, most)[::-1]
    return {'type': 'scatter', 'name': band.name, 'mode': 'lines', 'fill': 'toself',
            'x': packed(np.concatenate([x[above], x[below]])),
            'y': packed(np.concatenate([high[above], low[below]])),
            'fillcolor': _css(band.colour), 'line': {'width': 0}, 'hoverinfo': 'skip'}


def packed(values: ArrayLike) -> dict[str, str]:
    """Return numbers as plotly.js takes them in the least space, with seven digits."""
    return {'dtype': 'f4', 'bdata': b64encode(np.asarray(values, '<f4').tobytes()).decode()}


def _shape(mark: Mark):
    """Return a Mark as a shape: over the whole of the other axis."""
    ours, others = ('x', 'y') if mark.across else ('y', 'x')
    high = mark.low if mark.high is None else mark.high
    span = {f'{ours}0': mark.low, f'{ours}1': high, f'{others}ref': 'paper', f'{others}0': 0,
             f'{others}1': 1}
    look = ({'type': 'line', 'line': {'color': _css(mark.colour), 'width': mark.width,
                                      'dash': mark.dash}} if mark.high is None else
            {'type': 'rect', 'fillcolor': _css(mark.colour), 'line': {'width': 0}})
    named = {'name': mark.name, 'showlegend': True} if mark.name else {}
    return {'layer': 'below', **look, **span, **named}


def _css(colour: str):
    """Return a colour as a custom property of the page's style, which its script looks up."""
    return f'--{colour}'


def kept(values: np.ndarray, most: int) -> np.ndarray:
    """Return the indices, ascending, of at most `most` of values (n) that show their course.

    Of each of equal parts the least and the greatest number are kept, so that no peak is lost.
    A part without any finite number keeps one of its own: a gap stays a gap.
    """
    if len(values) <= most:
        return np.arange(len(values))
    finite = np.isfinite(values)
    low, high = np.where(finite, values, np.inf), np.where(finite, values, -np.inf)
    edges = np.linspace(0, len(values), max(most // 2, 1) + 1).astype(int)
    return np.unique([begin + k for begin, end in pairwise(edges)
                      for k in (low[begin:end].argmin(), high[begin:end].argmax())])
