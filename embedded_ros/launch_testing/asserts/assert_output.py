"""Output of processes."""
import re

from ..tools.text import build_text_match, remove_ansi_escape_sequences
from ..util.proc_lookup import resolveProcesses


def assertInStdout(proc_output, expected_output, process, cmd_args=None, *,
                   output_filter=None, strict_proc_matching=True,
                   strip_ansi_escape_sequences=True):
    """Raise an AssertionError unless the stdout of a process holds what is expected.

    expected_output: a text, several lines (in this order), a compiled regular expression, or a
    function of the text; process: an action, (a part of) a name, or None for any of them;
    output_filter: a function that is applied to the text first.
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
    matches = build_text_match(expected)
    found = resolveProcesses(proc_output, process=process, cmd_args=cmd_args,
                             strict_proc_matching=strict)
    for action in found:
        text = stream_text(proc_output[action], stream)
        if strip:
            text = remove_ansi_escape_sequences(text)
        if output_filter is not None:
            text = output_filter(text)
        if matches(text):
            return
    names = ', '.join(action.process_details['name'] for action in found)
    what = expected.pattern if isinstance(expected, re.Pattern) else expected
    raise AssertionError(f"Did not find '{what}' in {stream} of any of the matching "
                         f'processes: {names}')


def stream_text(events, stream):
    """Return the joined text of the events of one stream."""
    pieces = [event.text for event in events if getattr(event, f'from_{stream}')]
    return b''.join(pieces).decode(errors='replace')
