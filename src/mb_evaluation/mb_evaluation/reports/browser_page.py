"""A report as a page for the browser: verdict, tiles, tables and panels in one file."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from itertools import count, zip_longest
import json
from pathlib import Path
from string import Template
from typing import Any

from mb_evaluation.panels.panel import DARK, LIGHT, Panel
from mb_evaluation.panels.plotly_backend import arrays_of, drawn as drawn_by_plotly
from mb_evaluation.reports.report import Drawn, Report, Section, Table
from mb_evaluation.reports.report_file import finite
from mb_model.file_api import write_whole

TEMPLATES = resources.files('mb_evaluation.reports') / 'templates'
MOST = 5000             # points of a curve
ROOM = 190_000          # numbers that all curves share; five bytes each


def write_page(report: Report, drawn: Drawn, path: Path) -> None:
    """Write a Report and its panels as one HTML file that needs no other."""
    sections = [Section('', drawn.first), *(one for one in drawn.sections if one.panels)]
    panels = [panel for section in sections for panel in section.panels]
    most = min(MOST, ROOM // max(1, sum(map(arrays_of, panels))))
    content = {'duration': report.figures['duration'],
               'panels': [drawn_by_plotly(panel, most) for panel in panels]}
    plotly = resources.files('plotly') / 'package_data' / 'plotly.min.js'
    write_whole(path, Template(_text('page.html')).substitute(
        title=escape(report.title), style=_style(), script=_text('page.js'),
        body='\n'.join(_body(report, sections)), content=_script_json(content),
        report=_script_json(finite(report.figures)), plotly=plotly.read_text('utf-8')))


def _body(report: Report, sections: Sequence[Section]):
    """Yield the parts of the body; sections: the first one is above the first table."""
    kind, figures = report.kind, report.figures
    first, *others = kind.tables(figures)
    numbers = count()       # of panels
    yield (f'<p class="verdict {"passed" if report.has_passed else "failed"}">'
           f'{escape(report.verdict)}</p>')
    if report.commands:
        yield f'<pre>{escape(chr(10).join(report.commands))}</pre>'
    yield '<div class="tiles">' + ''.join(
        f'<div><span>{escape(tile.what)}</span><b>{escape(tile.figure)}</b>'
        f'<small>{escape(tile.note)}</small></div>' for tile in kind.tiles(figures)) + '</div>'
    yield from _section(sections[0], numbers)
    yield _heading(first.heading)
    yield _beside(_table(first), _lines([
        *kind.introduction(figures), *kind.captions(figures), *kind.remarks(figures)]))
    for section in sections[1:]:
        yield from _section(section, numbers)
    for table in (*others, report.complaints):
        if table.rows:
            yield _heading(table.heading)
            yield _beside(_table(table), _lines(table.notes)) if table.notes else _table(table)
    yield f'<footer>{escape(report.made_with)}</footer>'
    text = json.dumps(finite(figures), indent=2, ensure_ascii=False)
    yield ('<details><summary>Every figure of this run (report.json)</summary>'
           f'<pre>{escape(text)}</pre></details>')


def _section(section: Section, numbers: count):
    """Yield a Section, unless it is empty; numbers: of the panels to come."""
    if section.panels:
        yield _heading(section.heading) + '<div class="panels">' + ''.join(
            _frame(panel, next(numbers)) for panel in section.panels) + '</div>'


def _table(table: Table):
    """Return a Table as HTML, without its heading."""
    look = 'table words' if len(table.words) == len(table.headings) else 'table'
    head = ''.join(f'<th>{escape(one)}</th>' for one in table.headings)
    zooms = [f' data-from="{begin:.3f}" data-to="{end:.3f}"' for begin, end in table.zooms]
    body = ''.join(f'<tr{zoom}>' + ''.join(f'<td>{escape(cell)}</td>' for cell in row) + '</tr>'
                   for row, zoom in zip_longest(table.rows, zooms, fillvalue=''))
    return (f'<div class="{look}"><table><thead><tr>{head}</tr></thead>'
            f'<tbody>{body}</tbody></table></div>')


def _lines(texts: Iterable[str]):
    """Return lines of text as HTML."""
    return f'<ul>{"".join(f"<li>{escape(one)}</li>" for one in texts)}</ul>'


def _beside(*parts: str):
    """Return parts of HTML beside each other, where there is room."""
    return f'<div class="beside">{"".join(parts)}</div>'


def _frame(panel: Panel, number: int):
    note = f'<small>{escape(panel.note)}</small>' if panel.note else ''
    return (f'<figure{" class=wide" if panel.wide else ""}><figcaption>{escape(panel.title)}{note}'
            f'</figcaption><div id="panel{number}"></div></figure>')


def _heading(text: str):
    return f'<h2>{escape(text)}</h2>' if text else ''


def _style():
    """Return the style sheet: the colours of panels in both looks, and the page's own rules."""
    looks = {':root': LIGHT, ":root[data-theme='dark']": DARK}
    rules = [f'{where} {{ ' + ' '.join(f'--{name}: {value};' for name, value in look.items())
             + ' }\n' for where, look in looks.items()]
    return ''.join(rules) + _text('page.css')


def _text(name: str):
    return (TEMPLATES / name).read_text('utf-8')


def _script_json(content: Any):
    """Return content as JSON within a script, which '<' could end."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False,
                      separators=(',', ':')).replace('<', '\\u003c')
