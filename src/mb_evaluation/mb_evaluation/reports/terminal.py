"""A report on the terminal: the first table, then the verdict."""

from collections.abc import Iterable
import textwrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mb_evaluation.reports.report import Report
from mb_model.command_api import table as table_for_rich

WIDTH = 66      # of remarks


def show(report: Report, console: Console) -> None:
    """Show a Report on a console; one that nothing is drawn of has its verdict alone."""
    if report.run is not None:
        console.print(table_of(report))
    if report.verdict:
        console.print(Text(report.verdict, f'bold {"green" if report.has_passed else "red"}'))


def table_of(report: Report) -> Table:
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

