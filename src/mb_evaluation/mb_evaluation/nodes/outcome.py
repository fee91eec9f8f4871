"""What a run came to, on a console and in files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from mb_evaluation.pages.page import write_page
from mb_evaluation.reports.report_file import write_report

Run = Any           # RunLog of the kind of run


@dataclass(frozen=True)
class Outcome:
    """The report of a run, and how its kind of run shows one.

    table, verdict: for the console; draw: writes the picture; browser_page: for a browser; page:
    as Markdown with the name of the picture, None for none.  Without messages of a stream
    (`complete` false) there is the verdict, but nothing to draw.
    """

    report: dict
    complete: bool
    table: Callable[[dict], Any]
    verdict: Callable[[dict], Any]
    draw: Callable[[Run, dict, Path], None]
    browser_page: Callable[[Run, dict], Any]
    page: Callable[[dict, str], str] | None = None

    def write(self, run: Run, console: Console, folder: Path) -> None:
        """Show the table on a console, then write report, page and picture.  Raises OSError."""
        if self.complete:
            console.print(self.table(self.report))
        console.print(self.verdict(self.report))
        write_report(self.report, folder / 'report.json')
        if self.page:
            (folder / 'report.md').write_text(self.page(self.report, 'report.png'))
        if self.complete:
            self.draw(run, self.report, folder / 'report.png')
            write_page(self.browser_page(run, self.report), folder / 'report.html')
