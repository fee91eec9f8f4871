"""A fit as a page for the browser, with a picture of its residuals."""

from collections.abc import Iterable, Sequence
from html import escape
from io import StringIO
from pathlib import Path
import re
from typing import Any

import matplotlib
from matplotlib.figure import Figure
import numpy as np

from mb_estimators.fitting.fit import Fit
from mb_estimators.fitting.outcome import (
    NUMBERS,
    QUALITY,
    SUMS,
    number_rows,
    quality_rows,
    sum_rows,
)
from mb_estimators.fitting.quality import Quality
from mb_model.file_api import write_whole

_ROW, _WIDTH = 1.7, 7.2         # of a panel [inch]
_MOST = 2000                    # points of a curve
_GIVEN, _LEFT, _HELD = '#9aa7b5', '#1f5fa8', '#d1622b'
STYLE: Any = {'font.size': 9.0, 'axes.linewidth': 0.7}
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
        color: #1a1f26; }}
table {{ border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }}
td, th {{ padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #dde3ea; }}
td:first-child, th:first-child {{ text-align: left; white-space: normal; }}
td, th {{ white-space: nowrap; }} svg {{ width: 100%; height: auto; }} li {{ margin: .3rem 0; }}
</style>
<h1>{title}</h1>
<p>From {bags}.</p>
{body}
</html>
"""


def write_page(path: Path, name: str, bags: Sequence[str],
               sections: Iterable[tuple[str, str]], notes: Iterable[str]) -> None:
    """Write one HTML file that needs no other.

    name: of the mechanism; bags: what the fit comes from; sections: (heading, HTML); notes: lines
    of text at the end.
    """
    body = [f'<h2>{escape(heading)}</h2>{html}' for heading, html in sections]
    if lines := ''.join(f'<li>{escape(note)}</li>' for note in notes):
        body.append(f'<ul>{lines}</ul>')
    write_whole(path, _PAGE.format(title=f'Fit of {escape(name)}', bags=escape(', '.join(bags)),
                                   body='\n'.join(body)))


def fit_sections(fit: Fit) -> tuple[tuple[str, str], ...]:
    """Return the (heading, HTML) of a Fit to forces."""
    sections = [('Residuals', f'{picture(residual_figure(fit))}'
                 f'{html_table(QUALITY, quality_rows(fit.quality, fit.held_out))}'
                 '<p>alike: correlation of neighbouring residuals, 0 of white ones</p>'),
                ('Numbers of the machine', html_table(NUMBERS, number_rows(fit.numbers)))]
    if sums := sum_rows(fit):
        sections.append(('What the recordings know of numbers together', html_table(SUMS, sums)))
    return tuple(sections)


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells as HTML."""
    lines = ''.join('<tr>' + ''.join(f'<td>{escape(cell)}</td>' for cell in row) + '</tr>'
                    for row in rows)
    return ('<table><tr>' + ''.join(f'<th>{escape(one)}</th>' for one in headings)
            + f'</tr>{lines}</table>')


def picture(figure: Figure) -> str:
    """Return a figure as SVG, the same for the same figure."""
    text = StringIO()
    with matplotlib.rc_context({'svg.fonttype': 'none', 'svg.hashsalt': 'fit'}):
        figure.savefig(text, format='svg', metadata={'Date': None})
    return re.sub(r'(?s)^.*?(<svg)', r'\1', text.getvalue(), count=1)


def residual_figure(fit: Fit) -> Figure:
    """Return forces of drives and residuals over time, a panel for each row of an instant."""
    units = ['N m' if fit.mechanism.unit(name) == 'rad' else 'N' for name in fit.quality.names]
    return quality_figure(fit.quality, fit.held_out, units, 'drives')


def quality_figure(quality: Quality, held: Quality | None, units: Sequence[str], given: str
                   ) -> Figure:
    """Return what was given and residuals over time, a panel for each of the names of a Quality.

    held: of what was held out; units: by name; given: what it is, in a word.
    """
    count = int(quality.recording.max()) + 1
    ends = np.array([quality.t[quality.recording == k].max() for k in range(count)])
    t = quality.t + np.r_[0.0, np.cumsum(ends[:-1])][quality.recording]
    held_out = [0.0 if held is None else float(np.ptp(held.t[held.recording == number]))
                for number in range(count)]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH, _ROW * len(quality.names) + 0.4), layout='constrained')
        panels = figure.subplots(len(quality.names), 1, sharex=True, squeeze=False)[:, 0]
        for k, (panel, name) in enumerate(zip(panels, quality.names, strict=True)):
            some = np.flatnonzero(np.isfinite(quality.left[:, k]))
            some = some[::1 + len(some) // _MOST]
            panel.plot(t[some], quality.given[some, k], color=_GIVEN, lw=0.8, label=given)
            panel.plot(t[some], quality.left[some, k], color=_LEFT, lw=0.7, label='residual')
            for number in range(count if held else 0):
                last, out = t[quality.recording == number][-1], held_out[number]
                panel.axvspan(last - out, last, color=_HELD, alpha=0.12, lw=0.0,
                              label='held out' if number == 0 else None)
            panel.set_ylabel(f'{name} [{units[k]}]')
            panel.spines[['top', 'right']].set_visible(False)
        figure.legend(*panels[0].get_legend_handles_labels(), ncols=3, frameon=False,
                      loc='outside upper right')
        panels[-1].set_xlabel('time [s]')
    return figure
