"""Programs say what they compile, and how long it took."""

import os
import re
import subprocess
import sys

from mb_ros.compiled_aloud import OVER, USUAL, Lines

ONCE = f'once for this machine; {USUAL}, `make setup` compiles all ahead'
MODULE = """
def main():
    from numba import njit

    @njit
    def twice(x):
        return 2 * x

    twice(1)
"""


def test_a_function_that_takes_long_has_a_line_with_all_that_it_calls(capsys):
    time = [0.0]
    lines = Lines(now=lambda: time[0])
    lines.begin('step')
    lines.begin('solve')
    time[0] = 1.0
    lines.end('solve')
    time[0] = 3.2
    lines.end('step')
    lines.finish()
    assert capsys.readouterr().err.splitlines() == [
        f'compiling step and others, {ONCE}',
        'compiled step and 1 that it calls in 3.2 s',
        'compiled 2 functions in 3.2 s']


def test_on_a_terminal_one_line_says_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, 'isatty', lambda: True)
    time = [0.0]
    lines = Lines(now=lambda: time[0])
    for name in ('step', 'solve'):
        lines.begin(name)
        time[0] += 2.0
        lines.end(name)
    lines.finish()
    assert capsys.readouterr().err == (
        f'compiling step and others, {ONCE}\n' + OVER + '1 functions, 0 s' + OVER
        + '2 functions, 2 s' + OVER + 'compiled 2 functions in 4.0 s\n')


def test_short_ones_have_no_lines_of_their_own(capsys):
    lines = Lines(now=lambda: 1.0)
    for name in ('a', 'b'):
        lines.begin(name)
        lines.end(name)
    assert capsys.readouterr().err.splitlines() == [
        f'compiling a and others, {ONCE}']


def test_a_program_says_what_it_compiles(tmp_path, monkeypatch):
    (tmp_path / 'compiling.py').write_text(MODULE)
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)
    ended = subprocess.run(
        [sys.executable, '-c', 'from mb_ros.program import command; command.compiling()'],
        capture_output=True, text=True, check=True)
    first, *_, last = ended.stderr.splitlines()
    assert first.startswith('compiling compiling.main.<locals>.twice and others, once')
    assert re.fullmatch(r'compiled \d+ functions in \d+\.\d s', last)


def test_a_program_that_compiles_nothing_is_silent(capsys):
    Lines().finish()
    assert capsys.readouterr().err == ''
