"""A report as text: on the terminal its first table, then the verdict; a page of Markdown."""

from collections.abc import Iterable
import textwrap

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from mb_evaluation.reports.report import Report, Table
from mb_model.command_api import table as table_for_rich

WIDTH = 66      # of remarks


def show(report: Report, console: Console) -> None:
    """Show a Report on a console; one that nothing is drawn of has its verdict alone."""
    if report.run is not None:
        console.print(table_of(report), crop=False)    # as wide as its words need
    if report.verdict:
        console.print(Text(report.verdict, f'bold {"green" if report.has_passed else "red"}'))
    for command in report.commands:
        console.print(Text(command), soft_wrap=True)


def table_of(report: Report) -> RichTable:
    """Return the first table of a Report, for rich."""
    table = report.kind.tables(report.figures)[0]
    groups = [[[Text(cell, 'bold') if k == table.strong else cell for k, cell in enumerate(row)]
               for row in group] for group in table.groups]
    return table_for_rich(table.headings, groups, report.title, [
        *report.kind.captions(report.figures), *wrapped(report.kind.remarks(report.figures))],
        words=table.words, whole=table.whole)


def wrapped(remarks: Iterable[str]) -> list[str]:
    """Return remarks as lines."""
    return [line for text in remarks
            for line in textwrap.wrap(text, WIDTH, subsequent_indent='  ')]


def markdown_page(report: Report, picture: str) -> str:
    """Return the page; picture: name of the file beside it, empty for none."""
    kind, figures = report.kind, report.figures
    first, *others = kind.tables(figures)
    lines = [f'# {report.title}', '']
    lines += [f'**{report.verdict}**', ''] if report.verdict else []
    lines += ['```bash', *report.commands, '```', ''] if report.commands else []
    lines += [line for text in kind.introduction(figures) for line in (text, '')]
    lines += [*_table_lines(first), '']
    lines += [f'* {line}' for line in (*kind.captions(figures), *kind.remarks(figures))]
    lines += ['', f'![The run]({picture})', ''] if picture else ['']
    for table in (*others, report.complaints):
        if table.rows:
            lines += [f'## {table.heading}', '']
            lines += [line for text in table.notes for line in (text, '')]
            lines += [*_table_lines(table), '']
    return '\n'.join([*lines, report.made_with, '']) if kind.made_with else '\n'.join(lines)


def _table_lines(table: Table) -> list[str]:
    """Return the lines of a Table, whatever its texts have in them."""
    return [f'| {" | ".join(map(_cell, row))} |'
            for row in (table.headings, ('---',) * len(table.headings), *table.rows)]


def _cell(text: str) -> str:
    """Return a text as it stands in a cell: a bar would end it, a new line the table."""
    return ' '.join(text.replace('|', '\\|').split())
