"""A report as a picture: its panels, drawn by matplotlib."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
import numpy as np

from mb_evaluation.panels.matplotlib_backend import (
    draw,
    handles_of,
    label_across,
    new_figure,
    set_heading,
)
from mb_evaluation.panels.panel import LIGHT, TIME, Band, Panel
from mb_evaluation.reports.report import Picture, Report
from mb_evaluation.reports.texts import wrapped
from mb_model.file_api import whole_file

WIDTH, HEADING, ABOVE, ROW = 15.0, 0.8, 4.2, 2.4        # of a picture and its parts [inches]
FEWEST = 6          # rows that have room beside others
LETTERS = 150       # of a title over the whole width
LEGEND = 0.5        # height of the legend of panels above that share one [inches]
COLUMNS = 8         # of the legend of a grid
DPI = 120


def draw_picture(report: Report, picture: Picture, path: Path) -> None:
    """Write the Picture of a Report; path ends in .png, .pdf or .svg."""
    if picture.grid:
        _save(_grid(report.title, picture.grid), path)
        return
    rows = ROW * max(len(picture.stack), FEWEST if picture.beside or picture.figures else 1)
    above = ABOVE if picture.above else 0.0
    figure = new_figure(WIDTH, HEADING + above + rows)
    set_heading(figure, report.title, report.verdict, report.has_passed)
    duration, below = report.figures['duration'], figure
    if picture.above:
        top, below = figure.subfigures(2, 1, height_ratios=(above, rows))
        _draw_above(top, picture.above, duration)
    if picture.beside or picture.figures:
        below, right = below.subfigures(1, 2, width_ratios=(1.45, 1.0))
        _draw_beside(right, picture, duration)
    if picture.stack:
        _draw_stack(below, picture.stack, duration, picture.detail)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    with whole_file(path) as part:
        figure.savefig(part, dpi=DPI, facecolor='white')


def _grid(title: str, rows: Sequence[Sequence[Panel]]):
    """Return the figure of rows of Panels that share one legend below them."""
    figure = new_figure(WIDTH, HEADING + 1.5 * ROW * len(rows))
    set_heading(figure, title)
    cells = figure.subplots(len(rows), len(rows[0]), sharex=True, squeeze=False)
    for axes, panel in zip(cells.ravel(), (one for row in rows for one in row), strict=True):
        draw(axes, panel, '')
    for axes, panel in zip(cells[-1], rows[-1], strict=True):
        label_across(axes, panel)
    handles, labels = handles_of(cells[0, 0])
    strip = 0.3 * -(-len(labels) // COLUMNS) / figure.get_figheight()      # below the panels
    figure.get_layout_engine().set(rect=(0.0, strip, 1.0, 1.0 - strip))
    figure.legend(handles, labels, loc='lower left', ncols=COLUMNS, frameon=False)
    return figure


def _draw_above(figure: Figure | SubFigure, panels: Sequence[Panel], duration: float):
    """Draw panels beside each other; over another axis than time they share a legend."""
    shared = panels[0].across != TIME
    if shared:
        strip, figure = figure.subfigures(2, 1, height_ratios=(LEGEND, ABOVE - LEGEND))
    cells = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, panel in zip(cells, panels, strict=True):
        if shared:
            draw(axes, replace(panel, note=''), '', wrap=LETTERS // len(panels))
            label_across(axes, panel)
        else:
            draw(axes, panel, columns=6)
            axes.set_xlim(0.0, duration)
    if shared:
        strip.legend(*handles_of(cells[0]), loc='center right', ncols=3, frameon=False,
                     title=panels[0].note, title_fontsize='small')


def _draw_stack(figure: Figure | SubFigure, panels: Sequence[Panel], duration: float,
                detail: tuple[float, float] | None):
    """Draw panels below each other; detail: (begin, end) [s] of a second column, or None."""
    cells = figure.subplots(len(panels), 1 + bool(detail), sharex='col', squeeze=False,
                             width_ratios=(2.4, 1.0) if detail else None)
    for row, panel in zip(cells, panels, strict=True):
        draw(row[0], panel)
        if detail:
            row[0].axvspan(*detail, color='0.93', zorder=-2)
            draw(row[1], panel, '')
            row[1].set_ylabel('')
            row[1].set_title('', loc='left')
            _fit(row[1], panel, *detail)
    label_across(cells[-1, 0], panels[-1])
    cells[0, 0].set_xlim(0.0, duration)
    if detail:
        cells[-1, 1].set_xlabel('detail [s]')
        cells[0, 1].set_xlim(*detail)


def _fit(axes: Axes, panel: Panel, begin: float, end: float):
    """Fit the axes to the curves of a panel from begin to end [s]."""
    values = np.concatenate([one.y[(one.x >= begin) & (one.x <= end)] for one in panel.curves
                             if not isinstance(one, Band)])
    values = values[np.isfinite(values)]
    if values.size:
        margin = 0.12 * np.ptp(values) + 1e-9
        axes.set_ylim(values.min() - margin, values.max() + margin)


def _draw_beside(figure: Figure | SubFigure, picture: Picture, duration: float):
    """Draw panels below each other, each with its own axis, and the figures below them."""
    *cells, foot = figure.subplots(len(picture.beside) + 1, 1, squeeze=False, height_ratios=(
        *(1.0,) * len(picture.beside), 1.7))[:, 0]
    for axes, panel in zip(cells, picture.beside, strict=True):
        draw(axes, panel, 'inside', columns=2)
        label_across(axes, panel)
        if panel.across == TIME:
            axes.set_xlim(0.0, duration)
    foot.axis('off')
    remarks = wrapped(picture.remarks)
    step = 1.0 / max(len(picture.figures) + len(remarks), 9)
    for i, row in enumerate(picture.figures):
        for x, text, side, name in zip((0.0, 0.72, 1.0), row, ('left', 'right', 'right'),
                                       ('truth', 'model', 'observer'), strict=True):
            foot.text(x, 1.0 - (i + 0.5) * step, text, ha=side, va='center', color=LIGHT[name],
                      transform=foot.transAxes, fontweight='bold' if i == 0 else 'normal')
    for i, line in enumerate(remarks, len(picture.figures)):
        foot.text(0.0, 1.0 - (i + 0.5) * step, line, va='center', color=LIGHT['observer'],
                  transform=foot.transAxes, fontsize='small')
