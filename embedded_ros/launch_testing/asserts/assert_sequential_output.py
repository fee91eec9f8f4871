"""Output of a process in a given order."""
from contextlib import contextmanager

from ..util.proc_lookup import resolveProcess
from .assert_output import stream_text

NEARBY = 2      # lines shown before and after the place of a failure


class SequentialTextChecker:
    """Finds texts one after the other in pieces of output."""

    def __init__(self, to_check):
        self._text = ''.join(to_check)
        self._at = 0

    def assertInText(self, msg):
        """Raise an AssertionError unless the text comes after the texts found before."""
        found = self._text.find(msg, self._at)
        if found < 0:
            reason = 'was found out of order' if msg in self._text else 'was not found'
            raise AssertionError(f"'{msg}' {reason}.  Nearby lines:\n{self.get_nearby_lines()}")
        self._at = found + len(msg)

    assertInStdout = assertInText  # noqa: N815

    def get_nearby_lines(self):
        """Return the line in which the search goes on, with its neighbours."""
        lines = self._text.splitlines()
        current = self._text.count('\n', 0, self._at)
        if self._at and self._text[self._at:self._at + 1] == '\n':
            current += 1            # the whole of that line has been found
        return '\n'.join(lines[max(current - NEARBY, 0):current + NEARBY + 1])


@contextmanager
def assertSequentialStdout(proc_output, process, cmd_args=None):
    """Give a checker of the stdout of a process, whose assertInStdout() goes forward only."""
    action = resolveProcess(proc_output, process, cmd_args=cmd_args)
    yield SequentialTextChecker([stream_text(proc_output[action], 'stdout')])
