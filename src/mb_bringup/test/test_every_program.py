"""What holds for every program that our packages install, also for a new one.

Standard streams may be closed, full or of few characters, and names and files may be hostile.
"""

import argparse
from importlib import import_module
from importlib.metadata import entry_points
from math import isfinite
import os
import subprocess
import sys

import pytest

ESCAPES = '\x1b]0;title\x07\x1b[31m'
HOSTILE = {     # files whose texts would reach a terminal: their ends, and what is in them
    '.csv': f't,a{ESCAPES},b\x9b31m\n' + ''.join(f'{0.01 * k},{k},{2 * k}\n' for k in range(9)),
    '.yaml': 'name: a\ndescription: "a\\e]0;title\\a"\nbodies: {"b\\e[31m": {"c\\e[31m": 1}}\n'
             'points: {"p\\e[31m": {fixed: ["\\e[31m", 0]}}\n',
    '.urdf': '<robot name="a&#x9b;31m"><link name="b&#x9b;31m"/><joint name="&#x9b;2J"/></robot>'}
PROGRAM = 'import sys; from {}; sys.argv[0] = {!r}; sys.exit({}())'
PROGRAMS = {f'{one.dist.name} {one.name}': one.value for one in entry_points(
    group='console_scripts') if one.value.startswith('mb_ros.program:')}
NUMBERS = ('nan', 'inf', '-inf', '1e400', '1e300', '-1e300', '9' * 400, '9' * 5000, '', 'x', '0x10',
           '²')
COMMANDS = [name for name, value in PROGRAMS.items() if ':command.' in value]
# All are started by mb_ros.program: a command and a node of each package.
OF_EACH = {(name.split()[0], value.split('.')[1]): name for name, value in PROGRAMS.items()}
SHELL = ['sh', '-c']


def started(name, *words, streams='', **environment):
    """Return the (exit code, output and errors, bytes) of a program; streams: of a shell."""
    _, _, path = PROGRAMS[name].partition(':')
    program = PROGRAM.format(f'mb_ros.program import {path.partition(".")[0]}', name, path)
    done = subprocess.run(
        [*SHELL, f'"$@" {streams}', 'sh', sys.executable, '-c', program, *words], check=False,
        env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_there_are_programs_of_both_kinds():
    assert len(COMMANDS) > 15
    assert len(PROGRAMS) - len(COMMANDS) > 15


class ParserError(Exception):
    """The parser of a command, when it is about to read what it was given."""


@pytest.fixture
def numbers(monkeypatch):
    """Return the function that returns the options of a command that have a type, by name."""
    def raise_parser(parser, *_):
        raise ParserError(parser)
    for method in ('parse_args', 'parse_known_args'):
        monkeypatch.setattr(argparse.ArgumentParser, method, raise_parser)

    def of(name):
        module = PROGRAMS[name].partition(':command.')[2]
        with pytest.raises(ParserError) as parsed:
            import_module(module).main([])
        parser, = parsed.value.args
        return {action.dest: action.type for action in parser._actions if action.type}
    return of


@pytest.mark.parametrize('name', COMMANDS)
def test_numbers_are_finite(name, numbers):
    """Whatever is given for whatever an option is read by; words say which range there is."""
    said = []
    for option, read in numbers(name).items():
        for text in NUMBERS:
            try:
                value = read(text)
            except argparse.ArgumentTypeError as error:
                said.append(str(error))
            except ValueError:
                pytest.fail(f'{option} {text}: in no words of ours')
            else:
                assert not isinstance(value, (int, float)) or isfinite(value), (option, text)
    assert all(' from ' in words and len(words) < 120 for words in said), said


def test_some_options_are_numbers(numbers):
    assert sum(len(numbers(name)) for name in COMMANDS) > 20


@pytest.mark.whole
@pytest.mark.parametrize('name', OF_EACH.values())
def test_odd_streams_end_nothing_and_lost_output_shows_in_the_exit_code(name):
    """Closed, full, and of a terminal that cannot show all characters."""
    code, printed = started(name, '--help', streams='<&- >/dev/full', PYTHONIOENCODING='ascii')
    assert code == 1
    assert b'Traceback' not in printed
    # beside what is said of kernels that are compiled
    assert b'standard output: No space left on device' in printed.splitlines()


@pytest.mark.parametrize('locale', ['de_DE.UTF-8', 'tr_TR.UTF-8'])
def test_numbers_and_names_are_the_same_in_every_locale(locale, tmp_path):
    """Decimal points stay points, and an i stays an i."""
    known = subprocess.run(['locale', '-a'], text=True, capture_output=True, check=False).stdout
    if locale.replace('UTF-8', 'utf8') not in known.split():
        pytest.skip(f'{locale} is not installed')
    log = tmp_path / 'log.csv'
    log.write_text('TIME,I\u0130i\u0131\n0.01,1.5\n0.02,2.5\n', encoding='utf-8')
    for name, word in ('mb_model describe', 'crane'), ('mb_sensors import_recording', str(log)):
        started(name, word)         # which may say that it compiles
        plain, there = (started(name, word, LC_ALL=one, LANGUAGE=one)
                        for one in ('C.UTF-8', locale))
        assert plain[0] == 0
        assert there == plain


@pytest.mark.whole
@pytest.mark.parametrize('name', COMMANDS)
def test_no_file_or_name_moves_the_cursor(name, tmp_path):
    """Whatever a command says of them; in their names is what could."""
    for end, text in HOSTILE.items():
        file = tmp_path / f'file{ESCAPES}{end}'
        file.write_text(text, encoding='utf-8')
        _, printed = started(name, str(file))
        assert b'Traceback' not in printed, printed.decode()
        assert not set(printed.decode()) & {'\x1b', '\x07', '\x9b', '\r'}, printed
