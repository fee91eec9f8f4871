"""One panel of a page: curves over an axis, with what is marked in it."""

from dataclasses import dataclass

import numpy as np

TIME = 'time'       # the axis that panels share: simulated time, from zero to the end of the run


@dataclass(frozen=True)
class Panel:
    """Curves and bands under a title; marks: shapes of plotly.js (see region, level, moment)."""

    title: str
    unit: str                               # of what goes up
    curves: tuple
    marks: tuple = ()
    reach: tuple | None = None              # lowest and highest number shown at first
    across: str = TIME                      # or the unit of another axis
    log: bool = False                       # shown in powers
    wide: bool = False                      # over all columns of the page
    note: str = ''                          # shown beside the title

    @property
    def columns(self):
        """How many arrays the page has to hold."""
        return sum(curve.columns for curve in self.curves)

    def drawn(self, most):
        """Return what the page's script draws, with at most `most` points a curve."""
        up = {'title': {'text': self.unit}, 'type': 'log' if self.log else 'linear'}
        if self.reach is not None and np.isfinite(self.reach).all():
            up['range'] = (np.log10(self.reach) if self.log else np.array(self.reach)).tolist()
        return {'data': [curve.drawn(most) for curve in self.curves], 'up': up,
                'across': self.across, 'marks': list(self.marks)}


def region(begin, end, colour, name=''):
    """Return the mark of a time from begin to end."""
    return _shape('rect', colour, name, x0=begin, x1=end, yref='paper', y0=0, y1=1)


def between(low, high, colour, name=''):
    """Return the mark of all numbers from low to high."""
    return _shape('rect', colour, name, xref='paper', x0=0, x1=1, y0=low, y1=high)


def level(y, colour, name='', dash='solid', width=1.0):
    """Return the mark of one number at all times."""
    return _line(colour, name, dash, width, xref='paper', x0=0, x1=1, y0=y, y1=y)


def moment(x, colour, name='', dash='solid', width=1.0):
    """Return the mark of an instant."""
    return _line(colour, name, dash, width, yref='paper', x0=x, x1=x, y0=0, y1=1)


def _line(colour, name, dash, width, **place):
    shape = _shape('line', colour, name, **place)
    del shape['fillcolor']
    return shape | {'line': {'color': colour, 'width': width, 'dash': dash}}


def _shape(kind, colour, name, **place):
    named = {'name': name, 'showlegend': True} if name else {}
    return {'type': kind, 'layer': 'below', 'fillcolor': colour, 'line': {'width': 0}, **place,
            **named}
