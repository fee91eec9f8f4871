"""Panels as matplotlib draws them, in the light look."""

from textwrap import fill, shorten

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator
import numpy as np

from mb_evaluation.panels.panel import LIGHT, Band, Curve, Mark, Panel, parts

LONGEST = 150           # characters of a verdict over a picture
DASHES = {'solid': '-', 'dash': '--', 'dot': ':'}
POINTS = 0.75           # of a pixel
DECADES = 100.0         # reach of an axis of powers below which its marks are powers of two


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of a size [inches]."""
    figure = Figure(figsize=(width, height), layout='constrained')
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    return figure


def set_heading(figure: Figure, title: str, verdict: str = '', passed: bool = True) -> None:
    """Write a title over a figure, and below it a verdict if there is one."""
    figure.suptitle(f'{title}\n' if verdict else title, fontsize=15, fontweight='bold', x=0.012,
                    ha='left')
    if verdict:
        words = shorten(verdict, LONGEST, placeholder=' …')
        figure.text(0.014, 1.0 - 0.45 / figure.get_figheight(), words, fontsize=10, va='top',
                    color=LIGHT['good' if passed else 'model'])


def draw(axes: Axes, panel: Panel, legend: str = 'above', columns: int = 4,
         wrap: int | None = None) -> None:
    """Draw a Panel.

    legend: 'above' the axes beside the title, 'inside' them or ''; columns: of it; wrap:
    characters of a line of the title, which is small then.
    """
    for mark in panel.marks:
        _draw_mark(axes, mark)
    for one in panel.curves:
        (_draw_band if isinstance(one, Band) else _draw_curve)(axes, one)
    if wrap is None:
        axes.set_title(panel.title, loc='left')
    else:
        axes.set_title(fill(panel.title, wrap), loc='left', fontsize='medium')
    axes.set_ylabel(panel.unit)
    if panel.note:
        axes.text(0.995, 0.96, panel.note, transform=axes.transAxes, ha='right', va='top',
                  fontsize='small', color=LIGHT['faint'],
                  bbox={'facecolor': 'white', 'alpha': 0.7, 'edgecolor': 'none', 'pad': 1.0})
    if panel.log:
        axes.set_yscale('log')
    if panel.reach is not None and np.isfinite(panel.reach).all():
        axes.set_ylim(*panel.reach)
        if panel.log and panel.reach[1] < DECADES * panel.reach[0]:
            axes.yaxis.set_major_locator(LogLocator(base=2.0))
            axes.yaxis.set_major_formatter('{x:g}')
            axes.yaxis.set_minor_locator(NullLocator())
    _clean(axes)
    if legend:
        _set_legend(axes, legend, columns)


def _clean(axes: Axes):
    """Remove all ink that is no data."""
    axes.spines[['top', 'right']].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.margins(x=0.0)


def label_across(axes: Axes, panel: Panel) -> None:
    """Name the axis across."""
    name = f'{panel.across} since {panel.since}' if panel.since else panel.across
    axes.set_xlabel(f'{name} [{panel.across_unit}]')


def handles_of(axes: Axes) -> tuple[list[Artist], list[str]]:
    """Return (handles, labels) of a legend: one of each name."""
    named = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    return list(named.values()), list(named)


def _set_legend(axes: Axes, where: str, columns: int):
    handles, labels = handles_of(axes)
    if not labels:
        return
    look = ({'loc': 'lower right', 'bbox_to_anchor': (1.01, 0.98), 'frameon': False,
             'borderaxespad': 0.1} if where == 'above' else
            {'loc': 'upper right', 'edgecolor': 'none', 'framealpha': 0.8, 'markerscale': 3.0})
    axes.legend(handles, labels, ncols=columns, handlelength=1.6, columnspacing=1.4, **look)


def _look(colour: str):
    name, opacity = parts(colour)
    return {'color': LIGHT[name], 'alpha': opacity}


def _draw_curve(axes: Axes, curve: Curve):
    look = _look(curve.colour) | {'label': curve.name}
    if curve.dots:
        axes.plot(curve.x, curve.y, '.', markersize=POINTS * curve.width, zorder=1.5, **look)
    else:
        axes.plot(curve.x, curve.y, DASHES[curve.dash], linewidth=POINTS * curve.width,
                  drawstyle='steps-post' if curve.held else 'default', **look)


def _draw_band(axes: Axes, band: Band):
    axes.fill_between(band.x, band.low, band.high, linewidth=0, label=band.name,
                      **_look(band.colour))


def _draw_mark(axes: Axes, mark: Mark):
    look = _look(mark.colour) | {'label': mark.name or None}
    if mark.high is None:
        line = axes.axvline if mark.across else axes.axhline
        line(mark.low, linewidth=POINTS * mark.width, linestyle=DASHES[mark.dash], **look)
    else:
        span = axes.axvspan if mark.across else axes.axhspan
        span(mark.low, mark.high, linewidth=0, **look)
