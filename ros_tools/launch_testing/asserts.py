"""Assertions on exit codes and output of processes."""
from collections.abc import Iterable
from contextlib import contextmanager
import re
import signal

from .util import NO_CMD_ARGS, resolveProcess, resolveProcesses

__all__ = [
    'EXIT_FORCED', 'EXIT_OK', 'EXIT_SIGINT', 'EXIT_SIGKILL', 'EXIT_SIGQUIT', 'EXIT_SIGSEGV',
    'EXIT_SIGTERM', 'NO_CMD_ARGS', 'SequentialTextChecker', 'assertExitCodes', 'assertInStderr',
    'assertInStdout', 'assertSequentialStdout',
]
EXIT_OK = 0
EXIT_SIGINT = -signal.SIGINT.value
EXIT_SIGQUIT = -signal.SIGQUIT.value
EXIT_SIGKILL = -signal.SIGKILL.value
EXIT_SIGSEGV = -signal.SIGSEGV.value
EXIT_SIGTERM = -signal.SIGTERM.value
EXIT_FORCED = -signal.SIGABRT.value


def assertExitCodes(proc_info, allowable_exit_codes=(EXIT_OK,), process=None,
                    cmd_args=None, *, strict_proc_matching=True):
    """Raise an AssertionError unless the processes (default: all) ended with an allowed code."""
    for code in allowable_exit_codes:
        if not isinstance(code, int):
            raise TypeError(f'allowable_exit_codes must be integers, got {code!r}')
    allowed = ' or '.join(str(code) for code in allowable_exit_codes)
    for action in resolveProcesses(proc_info, process=process, cmd_args=cmd_args,
                                   strict_proc_matching=strict_proc_matching):
        event = proc_info[action]
        code = getattr(event, 'returncode', None)
        assert code is not None, f'Proc {event.process_name} has not ended'
        assert code in allowable_exit_codes, (
            f'Proc {event.process_name} exited with code {code}, expected {allowed}')


ANSI = re.compile(r'\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])')
NEARBY = 2      # lines shown before and after the place of a failure


def found_end(text, expected, start=0):
    """Where an expected text ends, None if it is not there.

    expected: a text, a compiled regular expression, or several of them, to be found in this order.
    """
    if isinstance(expected, str):
        at = text.find(expected, start)
        return at + len(expected) if at >= 0 else None
    if hasattr(expected, 'search'):
        match = expected.search(text, start)
        return match and match.end()
    if not isinstance(expected, Iterable):
        raise ValueError(f'Unknown format for expected text: {expected!r}')
    for one in expected:
        start = found_end(text, one, start)
        if start is None:
            return None
    return start


def assertInStdout(proc_output, expected_output, process, cmd_args=None, *,
                   output_filter=None, strict_proc_matching=True,
                   strip_ansi_escape_sequences=True):
    """Raise an AssertionError unless the stdout of a process holds what is expected.

    expected_output: a text, a compiled regular expression, or several of them (in this order);
    process: an action, (a part of) a name, or None for any of them; output_filter: a function that
    is applied to the text first.
    """
    assert_in(proc_output, 'stdout', expected_output, process, cmd_args, output_filter,
              strict_proc_matching, strip_ansi_escape_sequences)


def assertInStderr(proc_output, expected_output, process, cmd_args=None, *,
                   output_filter=None, strict_proc_matching=True,
                   strip_ansi_escape_sequences=True):
    """Raise an AssertionError unless the stderr of a process holds what is expected."""
    assert_in(proc_output, 'stderr', expected_output, process, cmd_args, output_filter,
              strict_proc_matching, strip_ansi_escape_sequences)


def assert_in(proc_output, stream, expected, process, cmd_args, output_filter, strict, strip):
    found = resolveProcesses(proc_output, process=process, cmd_args=cmd_args,
                             strict_proc_matching=strict)
    if output_filter is not None and not callable(output_filter):
        raise ValueError('output_filter is not callable')
    for action in found:
        text = stream_text(proc_output[action], stream)
        if strip:
            text = ANSI.sub('', text)
        if output_filter is not None:
            text = output_filter(text)
        if found_end(text.replace('\r\n', '\n'), expected) is not None:
            return
    names = ', '.join(sorted(action.process_details['name'] for action in found))
    raise AssertionError(f"Did not find '{expected}' in output for any of the matching "
                         f'processes: {names}')


def stream_text(events, stream):
    """Return the joined text of the events of one stream."""
    pieces = [event.text for event in events if getattr(event, f'from_{stream}')]
    return b''.join(pieces).decode(errors='replace')


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
