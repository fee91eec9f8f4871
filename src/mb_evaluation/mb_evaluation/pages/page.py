"""The page of a run: verdict, figures, tables and panels in one file for the browser."""

from dataclasses import dataclass
from html import escape
from importlib import resources
import json
from string import Template

from mb_evaluation.panels.colours import DARK, LIGHT
from mb_evaluation.panels.plotly_backend import arrays_of, drawn
from mb_evaluation.reports.report_file import finite

TEMPLATES = resources.files('mb_evaluation.pages') / 'templates'
MOST = 5000             # points of a curve
ROOM = 190_000          # numbers that all curves share; five bytes each


@dataclass(frozen=True)
class Page:
    """The contents of a page on a run, in the order in which they are shown."""

    title: str
    verdict: str
    passed: bool
    tiles: list             # (what, figure, note) of the most important figures
    parts: list             # of HTML: see table, lines; and sections of panels
    report: dict            # every figure, as in report.json
    duration: float         # of the run [s]
    made_with: str = ''     # what the run was made with


@dataclass(frozen=True)
class Section:
    """Panels under a heading."""

    heading: str
    panels: list


def write_page(page, path):
    """Write a Page as one HTML file that needs no other."""
    panels = [panel for part in page.parts if isinstance(part, Section) for panel in part.panels]
    most = min(MOST, ROOM // max(1, sum(map(arrays_of, panels))))
    content = {'duration': page.duration, 'panels': [drawn(panel, most) for panel in panels]}
    plotly = resources.files('plotly') / 'package_data' / 'plotly.min.js'
    path.write_text(Template(_text('page.html')).substitute(
        title=escape(page.title), style=_style(), script=_text('page.js'),
        body='\n'.join(_body(page, panels)), content=_script_json(content),
        report=_script_json(finite(page.report)), plotly=plotly.read_text('utf-8')), 'utf-8')


def table(headings, rows, heading='', zooms=None, words=False):
    """Return a table as HTML: numbers beside a first column of text; words: text throughout.

    zooms: (begin, end) [s] for each row, which panels show when it is clicked.
    """
    head = ''.join(f'<th>{escape(one)}</th>' for one in headings)
    body = ''.join(
        f'<tr{_zoom(zooms[k]) if zooms else ""}>'
        + ''.join(f'<td>{escape(cell)}</td>' for cell in row) + '</tr>'
        for k, row in enumerate(rows))
    look = 'table words' if words else 'table'
    return (f'{_heading(heading)}<div class="{look}"><table><thead><tr>{head}</tr></thead>'
            f'<tbody>{body}</tbody></table></div>')


def lines(texts):
    """Return lines of text as HTML."""
    return f'<ul>{"".join(f"<li>{escape(one)}</li>" for one in texts)}</ul>'


def beside(*parts):
    """Return parts of HTML beside each other, where there is room."""
    return f'<div class="beside">{"".join(parts)}</div>'


def _body(page, panels):
    """Yield the parts of the body."""
    yield (f'<p class="verdict {"passed" if page.passed else "failed"}">'
           f'{escape(page.verdict)}</p>')
    yield '<div class="tiles">' + ''.join(
        f'<div><span>{escape(what)}</span><b>{escape(figure)}</b><small>{escape(note)}</small>'
        '</div>' for what, figure, note in page.tiles) + '</div>'
    number = {id(panel): k for k, panel in enumerate(panels)}
    for part in page.parts:
        if isinstance(part, Section):
            yield _heading(part.heading) + '<div class="panels">' + ''.join(
                _frame(panel, number[id(panel)]) for panel in part.panels) + '</div>'
        else:
            yield part
    yield f'<footer>{escape(page.made_with)}</footer>'
    figures = json.dumps(finite(page.report), indent=2, ensure_ascii=False)
    yield ('<details><summary>Every figure of this run (report.json)</summary>'
           f'<pre>{escape(figures)}</pre></details>')


def _frame(panel, number):
    note = f'<small>{escape(panel.note)}</small>' if panel.note else ''
    return (f'<figure{" class=wide" if panel.wide else ""}><figcaption>{escape(panel.title)}{note}'
            f'</figcaption><div id="panel{number}"></div></figure>')


def _heading(text):
    return f'<h2>{escape(text)}</h2>' if text else ''


def _zoom(span):
    return f' data-from="{span[0]:.3f}" data-to="{span[1]:.3f}"'


def _style():
    """Return the style sheet: the colours of panels in both looks, and the page's own rules."""
    looks = {':root': LIGHT, ":root[data-theme='dark']": DARK}
    rules = [f'{where} {{ ' + ' '.join(f'--{name}: {value};' for name, value in look.items())
             + ' }\n' for where, look in looks.items()]
    return ''.join(rules) + _text('page.css')


def _text(name):
    return (TEMPLATES / name).read_text('utf-8')


def _script_json(content):
    """Return content as JSON within a script, which '<' could end."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False,
                      separators=(',', ':')).replace('<', '\\u003c')
