"""Standard streams of a program: what may be missing, full, foreign or more than a terminal shows.

Names, descriptions and headers come from files of others.  Written to a terminal as they are, they
could move its cursor, set its title or answer in its user's name; so control characters are shown
as Python writes them.  A terminal gets colours; what moves its cursor is written to `styled`.

A descriptor that is closed when a program begins would be given to the first file that it opens,
and what libraries log would be written into that file; so it is one of /dev/null.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
import os
import re
import sys
from typing import TextIO

# C0, C1, and what turns the direction of writing; not the tabulator and the end of a line.
_CONTROL = '[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]'
_COLOUR = r'\x1b\[[0-9;]*m'
_HIDDEN = re.compile(_CONTROL)
_NO_COLOUR = re.compile(f'({_COLOUR})|{_CONTROL}')


def plain(text: str, colours: bool = False) -> str:
    """Return a text whose control characters are shown, such as \\x1b; colours: they stay."""
    if text.isascii() and text.isprintable():
        return text
    return (_NO_COLOUR if colours else _HIDDEN).sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    if match.lastindex:
        return match[0]
    return match[0].encode('unicode_escape').decode()


class PlainStream(TextIOWrapper):
    """Standard output or errors: writes plain texts, and goes on where nothing can be written."""

    def __init__(self, stream: TextIO, ends: bool) -> None:
        """Replace a stream; ends: BrokenPipeError is raised, as `head` wants it."""
        stream.flush()
        super().__init__(stream.buffer, encoding=stream.encoding, errors='backslashreplace',
                         line_buffering=getattr(stream, 'line_buffering', True))
        self.styled = stream        # for what moves the cursor of a terminal
        self.problem: OSError | None = None     # what could not be written, the first time
        self._ends, self._colours = ends, stream.isatty()

    def write(self, text: str) -> int:
        """Write a text as it may be shown."""
        try:
            super().write(plain(text, self._colours))
        except OSError as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Write what waits."""
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def let_go(self) -> None:
        """Leave the stream to who had it before, as the last that is done with this one."""
        try:
            self.detach()
        except OSError:
            self.discard()
            self.detach()

    def discard(self) -> None:
        """Write to nowhere from now on, also what waits."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)

    def _lose(self, error: OSError) -> None:
        """Note an error, and write to nowhere from now on."""
        if self._ends and isinstance(error, BrokenPipeError):
            raise error
        self.problem = self.problem or error
        self.discard()


@contextmanager
def plain_streams(ends: bool) -> Iterator[None]:
    """Let the standard streams of this process be there, and plain; ends: see PlainStream."""
    for number, name, mode in ((0, 'stdin', 'r'), (1, 'stdout', 'w'), (2, 'stderr', 'w')):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)      # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding='utf-8',     # noqa: SIM115
                                    closefd=False))
    before = sys.stdout, sys.stderr
    ours = [PlainStream(stream, ends) if hasattr(stream, 'buffer') else stream for stream in before]
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for one in ours:
            if isinstance(one, PlainStream):
                one.let_go()


def lost_output() -> str:
    """Return why output could not be written, in words; '' if it could."""
    if not isinstance(sys.stdout, PlainStream):
        return ''
    try:
        sys.stdout.flush()
    except BrokenPipeError:         # who reads it has seen enough
        sys.stdout.discard()
    problem = sys.stdout.problem
    return f'standard output: {problem.strerror}' if problem else ''
