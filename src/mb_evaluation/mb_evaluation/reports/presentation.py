"""A report on a console and in files."""

from pathlib import Path
import sys

from rich.console import Console

from mb_evaluation.reports.browser_page import write_page
from mb_evaluation.reports.picture import draw_picture
from mb_evaluation.reports.report import Report
from mb_evaluation.reports.report_file import write_json
from mb_evaluation.reports.texts import markdown_page, show
from mb_model.file_api import whole_file, write_whole


def terminal(width: int) -> Console:
    """Return the console of standard output; width: where that is no terminal [characters]."""
    return Console(width=None if sys.stdout.isatty() else width)


def present(report: Report, console: Console, folder: Path, stem: str = 'report') -> None:
    """Show a Report on a console, then write it: figures, Markdown, picture and page.

    stem: name of the files, each of which is written as a whole or not at all.  Raises OSError.
    """
    show(report, console)
    folder.mkdir(parents=True, exist_ok=True)
    json, markdown, picture, page = (folder / f'{stem}.{end}' for end in (
        'json', 'md', 'png', 'html'))
    if report.run is not None:
        console.print('writing the picture and the page of the report')     # takes seconds
        console.file.flush()
    drawn = None if report.run is None else report.kind.draw(report.run, report.figures)
    with whole_file(json) as file:
        write_json(report.figures, file)
    write_whole(markdown, markdown_page(report, picture.name if drawn and drawn.picture else ''))
    if drawn and drawn.picture:
        with whole_file(picture) as file:
            draw_picture(report, drawn.picture, file)
    else:
        picture.unlink(missing_ok=True)     # of another report
    if drawn and drawn.sections:
        with whole_file(page) as file:
            write_page(report, drawn, file)
