"""Text as it looks on the terminal."""

import sys

from rich.console import Console


def laid_out(renderable, width):
    """Return what rich can render as text; width: of the lines where there is no terminal."""
    console = Console(width=None if sys.stdout.isatty() else width)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get().rstrip('\n')
