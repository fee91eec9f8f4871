"""Standard streams of programs: closed, full, of few characters, with foreign texts."""

import os
import pty
import subprocess
import sys

import pytest

from mb_ros.standard_streams import plain

PROGRAM = """
import os, sys
from mb_ros.standard_streams import lost_output, plain_streams
with plain_streams(ends={ends}), open(sys.argv[1], 'w') as file:
    number = file.fileno()
    print('\u00e9 \u2501', input() if sys.stdin.isatty() else sys.stdin.read())
    print('error', file=sys.stderr, flush=True)
    os.write(2, b'of a library')
    lost = lost_output()
sys.exit(f'{{number}} {{lost}}')
"""


def run(tmp_path, streams, ends=False, **environment):
    return subprocess.run(
        ['sh', '-c', f'"$@" {streams}', 'sh', sys.executable, '-c', PROGRAM.format(ends=ends),
         str(tmp_path / 'file')], check=False, capture_output=True, stdin=subprocess.DEVNULL,
        env={**os.environ, **environment})


@pytest.mark.parametrize('streams', ['', '<&-', '>&-', '2>&-', '<&- >&-', '<&- >&- 2>&-'])
def test_a_file_never_has_the_number_of_a_closed_stream(tmp_path, streams):
    """So what libraries log is not in it."""
    done = run(tmp_path, streams)
    assert done.returncode == 1
    assert (tmp_path / 'file').read_bytes() == b''
    if '2>&-' not in streams:
        number, _, lost = done.stderr.decode().splitlines()[-1].rpartition(
            'of a library')[2].partition(' ')
        assert int(number) > 2
        assert lost == ''


def test_a_full_disk_is_named_and_ends_nothing(tmp_path):
    done = run(tmp_path, '>/dev/full')
    assert done.stderr.decode().endswith('standard output: No space left on device\n')


@pytest.mark.parametrize(('encoding', 'shown'), [
    ('ascii', b'\\xe9 \\u2501 \n'), ('latin-1', b'\xe9 \\u2501 \n')])
def test_what_a_terminal_cannot_show_is_written_as_python_does(tmp_path, encoding, shown):
    assert run(tmp_path, '', PYTHONIOENCODING=encoding).stdout == shown


@pytest.mark.parametrize(('text', 'shown'), [
    ('plain \u00e9\t\n', 'plain \u00e9\t\n'), ('\x1b]0;t\x07', '\\x1b]0;t\\x07'),
    ('\x9b2J\r', '\\x9b2J\\r'), ('a\u202eb', 'a\\u202eb'), ('\x1b[31m', '\\x1b[31m')])
def test_control_characters_are_shown(text, shown):
    assert plain(text) == shown


def test_a_terminal_gets_colours_and_nothing_else():
    colour, clear = '\x1b[1;31m', '\x1b[2J'
    assert plain(f'{colour}a{clear}', colours=True) == f'{colour}a\\x1b[2J'
    screen, terminal = pty.openpty()
    subprocess.run([sys.executable, '-c',
                    'import sys\nfrom mb_ros.standard_streams import plain_streams\n'
                    'with plain_streams(True):\n'
                    f'    print({colour + clear!r}, flush=True)\n'
                    f'    print({clear!r}, file=sys.stdout.styled, flush=True)'],
                   stdout=terminal, check=True)
    os.close(terminal)
    assert os.read(screen, 1000).decode() == f'{colour}\\x1b[2J\r\n{clear}\r\n'
    os.close(screen)
