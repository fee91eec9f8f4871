"""The picture of a comparison: moving root mean squares of the errors."""

import numpy as np

from mb_evaluation.accuracy.errors import errors_against
from mb_evaluation.comparison.table import title_of
from mb_evaluation.panels.colours import LIGHT
from mb_evaluation.panels.matplotlib_backend import clean, new_figure

WINDOW = 0.25           # of the moving mean [s]
MOST_COORDINATES = 4    # that have a row of panels
QUANTITIES = (('position', ''), ('velocity', '/s'), ('acceleration', '/s²'))
COLOURS = ('#2a9d5c', '#8e5ea2', '#c28e0e', '#d1495b', '#00798c', '#6d597a', '#7f7f7f', '#bcbd22')
COLUMNS = 8             # of the legend
LOOKS = {'model': {'color': LIGHT['model'], 'linestyle': '--'},
         'recorded': {'color': LIGHT['observer'], 'linewidth': 4.0, 'alpha': 0.35}}


def draw_comparison(report, reference, compared, path):
    """Write the picture of a comparison, see make_report; path ends in .png, .pdf or .svg."""
    names = report['degrees_of_freedom'][:MOST_COORDINATES]
    figure = new_figure(15.0, 1.6 + 3.2 * len(names))
    figure.suptitle(title_of(report), fontsize=13, fontweight='bold', x=0.012, ha='left')
    panels = figure.subplots(len(names), len(QUANTITIES), sharex=True, squeeze=False)
    start, looks = int(reference[1].stamps[0]), _looks(compared)
    for one in compared:
        if len(one.track) > 1:
            errors = errors_against(reference[1], one.track, start)
            for row, _ in enumerate(names):
                for axes, (quantity, _) in zip(panels[row], QUANTITIES, strict=True):
                    mean = moving_rms(errors.time, getattr(errors, quantity)[:, row], WINDOW)
                    axes.plot(errors.time, np.where(mean > 0.0, mean, np.nan), label=one.name,
                              **looks[one.name])
    for row, name in enumerate(names):
        for axes, (quantity, per) in zip(panels[row], QUANTITIES, strict=True):
            axes.set_title(f'{name}: {quantity}', loc='left')
            axes.set_ylabel(f'RMS over {WINDOW:g} s [{report["units"][row]}{per}]')
            axes.set_yscale('log')
            clean(axes)
    for axes in panels[-1]:
        axes.set_xlabel('time [s]')
    handles, labels = panels[0, 0].get_legend_handles_labels()
    strip = 0.3 * -(-len(labels) // COLUMNS) / figure.get_figheight()      # below the panels
    figure.get_layout_engine().set(rect=(0.0, strip, 1.0, 1.0 - strip))
    figure.legend(handles, labels, loc='lower left', ncols=COLUMNS, frameon=False)
    figure.savefig(path, dpi=130, facecolor='white')


def moving_rms(time, values, window):
    """Return the root mean square of values (k) over a window [s] around each time (k) [s]."""
    left = np.searchsorted(time, time - 0.5 * window)
    right = np.searchsorted(time, time + 0.5 * window, side='right')
    sums = np.concatenate([[0.0], np.cumsum(np.square(values))])
    return np.sqrt((sums[right] - sums[left]) / (right - left))


def _looks(compared):
    """Return how the line of each one looks; two of one colour differ in style."""
    filters = [one.name for one in compared if one.name not in LOOKS]
    return LOOKS | {name: {'color': COLOURS[k % len(COLOURS)], 'linewidth': 1.3,
                           'linestyle': ('-', ':')[k // len(COLOURS) % 2]}
                    for k, name in enumerate(filters)}
