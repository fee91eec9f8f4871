"""Standard streams of `ros2`: there, plain and never what ends a command.

Names and texts in bags, messages and package manifests are foreign: control characters are shown
as Python writes them, so that none moves the cursor of a terminal; colours pass to terminals.
"""
from io import TextIOWrapper
import os
import re
import sys

# C0, C1, what turns the direction of writing; not the tabulator and the end of a line.
CONTROL = re.compile(r'(\x1b\[[0-9;]*m)|'
                     '[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]')


class PlainStream(TextIOWrapper):
    """Takes the place of stdout or stderr; what cannot be written is noted, but a broken pipe."""

    def __init__(self, stream):
        super().__init__(stream.buffer, encoding=stream.encoding, errors='backslashreplace',
                         line_buffering=stream.line_buffering)
        self._replaced = stream         # which would close the buffer when it goes
        self.problem = None
        self._colours = stream.isatty()

    def write(self, text):
        self._try(super().write, CONTROL.sub(self._shown, text))
        return len(text)

    def flush(self):
        self._try(super().flush)

    def _shown(self, match):
        if match[1] and self._colours:
            return match[0]
        return match[0].encode('unicode_escape').decode()

    def _try(self, act, *arguments):
        """Act; what fails, and all that follows, is written to nowhere."""
        try:
            act(*arguments)
        except BrokenPipeError:         # as in `ros2 topic echo ... | head`
            raise
        except OSError as error:
            self.problem = self.problem or error
            discard_output(self)


def set_up_streams():
    """Open what is closed: the first file that is opened would have its number; make all plain."""
    for number, name in enumerate(('stdin', 'stdout', 'stderr')):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)      # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, 'w' if number else 'r',     # noqa: SIM115
                                    encoding='utf-8', closefd=False))
        stream = getattr(sys, name)
        if number and hasattr(stream, 'buffer') and not isinstance(stream, PlainStream):
            stream.flush()
            setattr(sys, name, PlainStream(stream))


def discard_output(stream=None):
    """Write to nowhere from now on, also what waits; stream: stdout by default."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, (stream or sys.stdout).fileno())
    os.close(nowhere)


def lost_output():
    """Why output could not be written, in words; '' if it could."""
    sys.stdout.flush()
    problem = getattr(sys.stdout, 'problem', None)
    return f'standard output: {problem.strerror}' if problem else ''
