"""A report as it is presented, for tests: what the console shows, and the files."""

import io
import subprocess
import sys

from rich.console import Console

from mb_evaluation.reports.presentation import present


def presented(report, folder):
    """Present a Report; return what the console shows, of 140 columns, and the Markdown."""
    console = Console(file=io.StringIO(), width=140)
    present(report, console, folder)
    return console.file.getvalue(), (folder / 'report.md').read_text()


def judged(folder):
    """Return how the command `verdict` ended on a results folder."""
    return subprocess.run([sys.executable, '-m', 'mb_evaluation.verdict', str(folder)],
                          capture_output=True, text=True)
