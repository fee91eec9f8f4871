"""Text as it looks on the terminal, and the one look of tables there."""

from collections.abc import Collection, Iterable, Sequence
import sys

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

WIDTH = 120         # of the lines where there is no terminal


def laid_out(renderable: RenderableType, width: int = WIDTH) -> str:
    """Return what rich can render as text; width: of the lines where there is no terminal."""
    console = Console(width=None if sys.stdout.isatty() else width)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get().rstrip('\n')


def table(headings: Sequence[str], groups: Iterable[Iterable[Sequence[str | Text]]],
          title: str = '', caption: Sequence[str] = (), words: Collection[int] = (0,),
          whole: Collection[int] = ()) -> Table:
    """Return a table as all commands show it, for rich.

    headings: of the columns, all empty for none; groups: of rows, apart from each other by lines,
    of texts or rich's Text; caption: lines below it; words: numbers of the columns of words, all
    others are of numbers; whole: of those that are never wrapped.  What has a unit names it in its
    row or column.
    """
    # As rich's Text: brackets, as of units, are marks in plain ones.
    made = Table(title=Text(title, 'bold') if title else None, title_justify='left',
                 caption=Text('\n'.join(caption), 'table.caption') if caption else None,
                 caption_justify='left', show_header=any(headings), box=box.ROUNDED)
    for k, heading in enumerate(headings):
        made.add_column(Text(heading), justify='left' if k in words else 'right',
                        no_wrap=k in whole)
    for rows in groups:
        made.add_section()
        for row in rows:
            made.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return made
