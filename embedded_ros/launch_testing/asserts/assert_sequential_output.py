"""Output of a process in a given order."""
from contextlib import contextmanager

from ..util.proc_lookup import resolveProcess
from .assert_output import stream_text


class SequentialTextChecker:
    """Finds texts one after the other."""

    def __init__(self, text):
        self._text = text
        self._at = 0

    def assertInText(self, msg):
        """Raise an AssertionError unless the text comes after those found before."""
        found = self._text.find(msg, self._at)
        if found < 0:
            if msg in self._text:
                raise AssertionError(f"'{msg}' was found out of order")
            raise AssertionError(f"Did not find '{msg}' in output")
        self._at = found + len(msg)

    assertInStdout = assertInText  # noqa: N815


@contextmanager
def assertSequentialStdout(proc_output, process, cmd_args=None):
    """Give a checker of the stdout of a process, whose assertInStdout() goes forward only."""
    action = resolveProcess(proc_output, process, cmd_args=cmd_args)
    yield SequentialTextChecker(stream_text(proc_output[action], 'stdout'))
