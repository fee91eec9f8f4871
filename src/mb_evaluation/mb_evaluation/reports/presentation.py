"""A report on a console and in files."""

from pathlib import Path
import sys

from rich.console import Console

from mb_evaluation.reports.browser_page import write_page
from mb_evaluation.reports.picture import draw_picture
from mb_evaluation.reports.report import Report
from mb_evaluation.reports.report_file import write_json
from mb_evaluation.reports.texts import markdown_page, show
from mb_model.file_api import made_folder, write_whole


def terminal(width: int) -> Console:
    """Return the console of standard output; width: where that is no terminal [characters]."""
    return Console(width=None if sys.stdout.isatty() else width)


def present(report: Report, console: Console, folder: Path, stem: str = 'report') -> None:
    """Show a Report on a console, then write it: figures, Markdown, picture and page.

    stem: name of the files, each of which is written as a whole or not at all.  Raises OSError.
    """
    show(report, console)
    made_folder(folder)
    json, markdown, picture, page = (folder / f'{stem}.{end}' for end in (
        'json', 'md', 'png', 'html'))
    if report.run is not None:
        console.print('writing the picture and the page of the report')     # takes seconds
        console.file.flush()
    drawn = None if report.run is None else report.kind.draw(report.run, report.figures)
    write_json(report.figures, json)
    write_whole(markdown, markdown_page(report, picture.name if drawn and drawn.picture else ''))
    if drawn and drawn.picture:
        draw_picture(report, drawn.picture, picture)
    else:
        picture.unlink(missing_ok=True)     # of another report
    if drawn and drawn.sections:
        write_page(report, drawn, page)
