"""Text as it looks on the terminal, and the one look of tables there."""

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
import sys
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from mb_model.commands.exits import run_command
from mb_model.commands.whole_words import WholeWordTable
from mb_model.settings import Settings

WIDTH = 120         # of the lines where there is no terminal


def laid_out(renderable: RenderableType, width: int = WIDTH) -> str:
    """Return what rich can render as text; width: of the lines where there is no terminal."""
    console = Console(width=None if sys.stdout.isatty() else width)
    with console.capture() as captured:
        console.print(renderable, crop=False)   # tables are as wide as their words need
    return captured.get().rstrip('\n')


def table(headings: Sequence[str], groups: Iterable[Iterable[Sequence[str | Text]]],
          title: str = '', caption: Sequence[str] = (), words: Collection[int] = (0,),
          whole: Collection[int] = ()) -> Table:
    """Return a table as all commands show it, for rich.

    headings: of the columns, all empty for none; groups: of rows, apart from each other by lines,
    of texts or rich's Text; caption: lines below it; words: numbers of the columns of words, all
    others are of numbers; whole: of columns that are never wrapped.  What has a unit names it in
    its row or column.
    """
    # As rich's Text: brackets, as of units, are marks in plain ones.
    made = WholeWordTable(title=Text(title, 'bold') if title else None, title_justify='left',
                          caption=Text('\n'.join(caption), 'table.caption') if caption else None,
                          caption_justify='left', show_header=any(headings), box=box.ROUNDED)
    for k, heading in enumerate(headings):
        # Folded where a word has no room: cut off, a name would be another, and a number none.
        made.add_column(Text(heading), justify='left' if k in words else 'right',
                        no_wrap=k in whole, overflow='fold')
    for rows in groups:
        made.add_section()
        for row in rows:
            made.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return made


def list_plugins(prog: str, description: str | None, what: str, names: Sequence[str],
                 overview: Callable[[Sequence[str]], list[str]], page: Callable[[str], list[str]],
                 arguments: Sequence[str] | None) -> int:
    """Print what the command line asks for; return the exit code.

    what: one of them is called; names: of all of them; overview(names) and page(name) return lines
    of Markdown: all, a row each, and one in full.
    """
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument('names', nargs='*', metavar=what, help=f'name of a {what}')
    parser.add_argument('--markdown', action='store_true', help='print Markdown, for '
                        f'documentation; without names, of all {what}s')

    def pages(given):
        lines = [] if given.names else overview(names)
        for name in given.names or (names if given.markdown else ()):
            lines += [*([''] if lines else []), *page(name)]
        text = '\n'.join(lines)
        yield text if given.markdown else laid_out(Markdown(text), WIDTH)

    return run_command(pages, parser, arguments)


def settings_table(settings: type[Settings], prefix: str = '') -> list[str]:
    """Return lines of Markdown: every setting of a Settings class; prefix: of their names."""
    defaults = settings.defaults()
    return ['| setting | default | unit | range | |', '| --- | --- | --- | --- | --- |'] + [
        f'| `{prefix}{key}` | {_shown(defaults.get(key, "required"))} | {described.unit} '
        f'| {described.expectation()} | {described.help} |'
        for key, _, described in settings.describe()]


def first_line(described: type[Any]) -> str:
    """Return what a class says of itself in a line."""
    return (described.__doc__ or '').partition('\n')[0]


def _shown(value):
    """Return a default as it stands in a YAML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f'[{", ".join(_shown(item) for item in value)}]'
    return f'{value:g}' if isinstance(value, float) else str(value)
