"""The picture of a comparison: moving root mean squares of the errors."""

import numpy as np

from mb_evaluation.accuracy.errors import errors_against
from mb_evaluation.comparison.table import title_of
from mb_evaluation.panels.colours import SERIES
from mb_evaluation.panels.curves import Curve
from mb_evaluation.panels.matplotlib_backend import (
    draw,
    handles_of,
    label_across,
    new_figure,
    set_heading,
)
from mb_evaluation.panels.panel import Panel

WINDOW = 0.25           # of the moving mean [s]
MOST_COORDINATES = 4    # that have a row of panels
QUANTITIES = (('position', ''), ('velocity', '/s'), ('acceleration', '/s²'))
COLUMNS = 8             # of the legend
LOOKS = {'model': {'colour': 'model', 'width': 2.0, 'dash': 'dash'},
         'recorded': {'colour': 'observer/0.35', 'width': 5.3}}


def draw_comparison(report, reference, compared, path):
    """Write the picture of a comparison, see make_report; path ends in .png, .pdf or .svg."""
    panels = _panels(report, reference[1], compared)
    figure = new_figure(15.0, 1.6 + 3.2 * len(panels))
    set_heading(figure, title_of(report))
    places = figure.subplots(len(panels), len(QUANTITIES), sharex=True, squeeze=False)
    for axes, panel in zip(places.ravel(), (one for row in panels for one in row), strict=True):
        draw(axes, panel, '')
    for axes, panel in zip(places[-1], panels[-1], strict=True):
        label_across(axes, panel)
    handles, labels = handles_of(places[0, 0])
    strip = 0.3 * -(-len(labels) // COLUMNS) / figure.get_figheight()      # below the panels
    figure.get_layout_engine().set(rect=(0.0, strip, 1.0, 1.0 - strip))
    figure.legend(handles, labels, loc='lower left', ncols=COLUMNS, frameon=False)
    figure.savefig(path, dpi=130, facecolor='white')


def _panels(report, truth, compared):
    """Return a row of Panels for each degree of freedom; truth: Track of the reference."""
    looks, start = _looks(compared), int(truth.stamps[0])
    errors = {one.name: errors_against(truth, one.track, start)
              for one in compared if len(one.track) > 1 and one.track is not truth}
    return [[Panel(f'{name}: {quantity}', f'RMS over {WINDOW:g} s [{unit}{per}]', tuple(
        _curve(of.time, getattr(of, quantity)[:, k], {'name': one, **looks[one]})
        for one, of in errors.items()), log=True) for quantity, per in QUANTITIES]
        for k, (name, unit) in enumerate(zip(
            report['degrees_of_freedom'][:MOST_COORDINATES], report['units'], strict=False))]


def _curve(time, values, look):
    """Return the Curve of a moving RMS; zeros cannot be shown on an axis of powers."""
    mean = moving_rms(time, values, WINDOW)
    return Curve(x=time, y=np.where(mean > 0.0, mean, np.nan), **look)


def moving_rms(time, values, window):
    """Return the root mean square of values (k) over a window [s] around each time (k) [s]."""
    left = np.searchsorted(time, time - 0.5 * window)
    right = np.searchsorted(time, time + 0.5 * window, side='right')
    sums = np.concatenate([[0.0], np.cumsum(np.square(values))])
    return np.sqrt((sums[right] - sums[left]) / (right - left))


def _looks(compared):
    """Return the look of each curve; two of one colour differ in style."""
    filters = [one.name for one in compared if one.name not in LOOKS]
    return LOOKS | {name: {'colour': f'series{k % SERIES}', 'width': 1.7,
                           'dash': ('solid', 'dot')[k // SERIES % 2]}
                    for k, name in enumerate(filters)}
