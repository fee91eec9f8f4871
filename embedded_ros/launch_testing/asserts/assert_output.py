"""Output of processes."""
from ..tools.text import build_text_match, remove_ansi_escape_sequences
from ..util.proc_lookup import resolveProcesses


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
    matches = build_text_match(expected)
    for action in found:
        text = stream_text(proc_output[action], stream)
        if strip:
            text = remove_ansi_escape_sequences(text)
        if output_filter is not None:
            text = output_filter(text)
        if matches(text) is not None:
            return
    names = ', '.join(sorted(action.process_details['name'] for action in found))
    raise AssertionError(f"Did not find '{expected}' in output for any of the matching "
                         f'processes: {names}')


def stream_text(events, stream):
    """Return the joined text of the events of one stream."""
    pieces = [event.text for event in events if getattr(event, f'from_{stream}')]
    return b''.join(pieces).decode(errors='replace')
