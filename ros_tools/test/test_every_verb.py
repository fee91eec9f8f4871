"""What holds for every verb of `ros2`, also for a new one: numbers, SIGTERM, odd streams."""
import argparse
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
import signal
import subprocess
import sys
import time

from bag_files import write_bag
import pytest
from ros2cli.main import COMMANDS, build_parser
from ros2cli.values import Number

HOSTILE = ['nan', 'inf', '-inf', '1e400', '1e300', '-1e300', '1e-300', '-1', '9' * 400, '', 'x',
           '0x10', '1_0', '²']
NAMES = {'message_type': 'std_msgs/msg/String', 'service_type': 'std_srvs/srv/Trigger'}
OTHER = '/waits'            # for arguments that are not in NAMES
ESCAPES = '\x1b]0;title\x07\x1b[31m'
GRACE = 3.0                 # [s] for tidying up
WAITING = [                 # verbs with arguments with which they end by a signal alone
    ['topic', 'pub', OTHER, 'std_msgs/msg/String', '-w', '3'],
    ['topic', 'pub', OTHER, 'std_msgs/msg/String', '-r', '1e-6'],
    ['topic', 'echo', OTHER, 'std_msgs/msg/String'],
    ['topic', 'list', '--spin-time', '1e9'],
    ['service', 'call', OTHER, 'std_srvs/srv/Trigger'],
    ['bag', 'play', 'BAG', '--delay', '1e9'],
    ['bag', 'play', 'BAG', '--rate', '1e-6', '--clock', '1e-6'],
    ['bag', 'record', '-a']]


def verbs():
    """Words of all verbs, or of a command that has none."""
    known = {command: getattr(import_module(f'ros2cli.verbs.{command}'), 'VERBS', None)
             for command in COMMANDS}
    return [[command, *verb] for command in COMMANDS
            for verb in ([[one] for one in known[command]] if known[command] else [[]])]


def arguments(words):
    """The argparse actions of a verb."""
    parser, _ = build_parser(words)
    for word in words:
        children, = (action for action in parser._actions
                     if isinstance(action, argparse._SubParsersAction))
        parser = children.choices[word]
    return parser._actions


def filled(words, bag, names=NAMES, other=OTHER):
    """The words of a verb with something for each argument that it needs."""
    for action in arguments(words):
        if action.required or (not action.option_strings and action.nargs != '?'):
            words = [*words, *action.option_strings[:1],
                     bag if 'bag' in action.dest or action.dest in ('input', 'output_options')
                     else names.get(action.dest, other)]
    return words


@pytest.mark.parametrize('words', verbs(), ids=' '.join)
def test_numbers_are_finite_and_in_a_range(words):
    """Whatever is given for whatever an argument is read by."""
    for action in arguments(words):
        for text in HOSTILE if action.type else ():
            try:
                value = action.type(text)
            except argparse.ArgumentTypeError:
                continue
            assert not isinstance(value, (int, float)) or (
                isinstance(action.type, Number) and 0 <= value < 2 ** 63), (action.dest, text)


def test_some_arguments_are_numbers():
    kinds = [action.type for words in verbs() for action in arguments(words)]
    assert sum(isinstance(kind, Number) for kind in kinds) > 10


def ended(words, folder, after):
    """(exit code, stderr, whether it ran when SIGTERM came) of a verb that gets it after a while.

    Fails if it does not end then.
    """
    process = subprocess.Popen([sys.executable, '-m', 'ros2cli.main', *words], text=True,
                               cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    time.sleep(after)
    running = process.poll() is None
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(GRACE), process.stderr.read(), running
    finally:
        process.kill()
        process.communicate()


@pytest.mark.whole
@pytest.mark.parametrize('command', COMMANDS)
def test_sigterm_ends_it(command, tmp_path):
    """Each of its verbs, or it has ended by itself."""
    def errors_of(number, words):
        folder = tmp_path / str(number)
        folder.mkdir()
        return ended(filled(words, write_bag(folder / 'bag')), folder, 1.5)[1]
    own = [words for words in verbs() if words[0] == command]
    with ThreadPoolExecutor(4) as threads:
        for words, errors in zip(own, threads.map(errors_of, range(len(own)), own), strict=True):
            assert 'Traceback' not in errors, words


@pytest.mark.whole
@pytest.mark.parametrize('words', WAITING, ids=' '.join)
def test_sigterm_ends_what_waits_for_ever(words, tmp_path):
    bag = write_bag(tmp_path / 'bag')
    code, errors, running = ended([bag if word == 'BAG' else word for word in words], tmp_path, 3.0)
    assert running, errors
    assert 'Traceback' not in errors
    assert code in (0, signal.SIGTERM), errors      # of a bag that was recorded or played so far


@pytest.mark.whole
@pytest.mark.parametrize('words', verbs(), ids=' '.join)
def test_names_may_be_hostile(words, tmp_path):
    """What is foreign is shown, not obeyed."""
    bag = write_bag(tmp_path / f'bag{ESCAPES}')
    with subprocess.Popen(
            [sys.executable, '-m', 'ros2cli.main', *filled(words, bag, {}, f'/a{ESCAPES}')],
            cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT) as process:
        try:
            with suppress(subprocess.TimeoutExpired):       # it may wait for ever
                process.wait(2.0)
            process.terminate()
            printed = process.communicate(timeout=20.0)[0]
        finally:
            process.kill()
    assert b'Traceback' not in printed, printed.decode()
    assert not {0x1b, 0x07} & set(printed), printed


@pytest.mark.whole
@pytest.mark.parametrize('command', COMMANDS)
@pytest.mark.parametrize(('streams', 'code'), [('<&- >&-', 0), ('>/dev/full', 1)])
def test_streams_may_be_closed_or_full(command, streams, code):
    done = subprocess.run(
        ['sh', '-c', f'"$@" {streams}', 'sh', sys.executable, '-m', 'ros2cli.main', command,
         '--help'], stderr=subprocess.PIPE, check=False)
    assert b'Traceback' not in done.stderr, done.stderr.decode()
    assert done.returncode == code, done.stderr.decode()
