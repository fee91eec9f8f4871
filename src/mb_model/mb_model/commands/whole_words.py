"""Tables that break no word: as wide as needed in files and pipes, in parts on narrow terminals."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import TextType

_FAR = 100_000      # characters: nothing is wrapped on a line so long
_BESIDE = 2         # characters beside the text of a column, and one between two of them


class WholeWordTable(Table):
    """A Table of rich whose texts are wrapped between words alone.

    Where a terminal has no room for all columns, they follow below each other in parts, each behind
    the first column again.  A file, or a pipe, has lines as long as needed.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the table, or of its parts."""
        needed = [self._needed(console, options, column) for column in self.columns]
        least = [one.minimum for one in needed]
        room = options.max_width - 1
        if _taken(least) > room and console.is_terminal:
            parts = list(_parts(least, room))
            if len(parts) > 1:
                for number, columns in enumerate(parts):
                    yield self._part(columns, self.title if number == 0 else None)
                if self.caption:
                    yield self.caption
                return
        elif needed:
            options = options.update(max_width=max(room, _taken(least)) + 1)
            widths = _widths(least, [one.maximum for one in needed], options.max_width - 1)
            for column, width in zip(self.columns, widths, strict=True):
                column.width = width
        yield from super().__rich_console__(console, options)

    def _needed(self, console: Console, options: ConsoleOptions, column: Column) -> Measurement:
        """Return the width of the longest word of a column, and of its longest text."""
        wide = options.update(width=_FAR)
        texts = [*([column.header] if self.show_header else []), *column.cells]
        sizes = [Measurement.get(console, wide, text) for text in texts] or [Measurement(1, 1)]
        longest = max(one.maximum for one in sizes)
        word = max(one.minimum for one in sizes)
        return Measurement(longest if column.no_wrap else word, longest)

    def _part(self, columns: Sequence[int], title: TextType | None) -> Table:
        """Return a table of some columns, by number, without the caption."""
        part = WholeWordTable(title=title, title_justify=self.title_justify,
                              show_header=self.show_header, box=self.box)
        chosen = [self.columns[k] for k in columns]
        for one in chosen:
            part.add_column(one.header, justify=one.justify, no_wrap=one.no_wrap,
                            overflow=one.overflow)
        for row, *cells in zip(self.rows, *(one.cells for one in chosen), strict=True):
            part.add_row(*cells, end_section=row.end_section)
        return part


def _taken(widths: Sequence[int]) -> int:
    """Return how many characters columns of widths take, without the first border."""
    return sum(widths) + (_BESIDE + 1) * len(widths)


def _widths(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Return widths of columns that fit into a room: each as wide as its longest text, if it can.

    least, most: characters of the longest words, and texts.  The column that would have the most
    lines grows first.
    """
    widths = list(least)
    for _ in range(room - _taken(least)):
        narrow = [k for k, width in enumerate(widths) if width < most[k]]
        if not narrow:
            break
        widths[max(narrow, key=lambda k: most[k] / widths[k])] += 1
    return widths


def _parts(least: Sequence[int], room: int) -> Iterator[list[int]]:
    """Yield the numbers of the columns of each part, as many as have room beside the first one."""
    part = [0]
    for k in range(1, len(least)):
        if len(part) > 1 and _taken([least[i] for i in (*part, k)]) > room:
            yield part
            part = [0]
        part.append(k)
    yield part
