"""Programs are quiet when they are interrupted, whatever they are doing."""

import os
import signal
import subprocess
import sys

import pytest

from mb_ros.program import command, interrupt_once

PROGRAM = 'from mb_ros.program import {kind}; import sys; sys.exit({kind}.slow.program())'
IMPORTING = """
print('importing', flush=True)
try:
    input()
except BaseException as error:      # an import may swallow what an interrupt raises
    print(type(error).__name__)
def main():
    print('running', flush=True)
    input()
"""
MAKING = """
class Waits:
    def __set_name__(self, owner, name):        # up to 3.11, Python raises RuntimeError of its own
        print('making', flush=True)
        input()
def main():
    type('Own', (), {'attribute': Waits()})
"""
RUNNING = IMPORTING.replace('\ntry:\n    input()', '\ntry:\n    pass')


@pytest.fixture(autouse=True)
def _importable(tmp_path, monkeypatch):
    """Let processes import from the folder of a test, beside what a sourced ROS 2 lets them."""
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)



@pytest.mark.parametrize(('kind', 'code'), [('node', 0), ('command', 130)])
@pytest.mark.parametrize(('text', 'last'), [
    (IMPORTING, 'importing'), (MAKING, 'making'), (RUNNING, 'running')])
def test_an_interrupt_ends_it_in_silence(tmp_path, kind, code, text, last):
    (tmp_path / 'slow').mkdir()
    (tmp_path / 'slow' / 'program.py').write_text(text)
    process = subprocess.Popen(
        [sys.executable, '-c', PROGRAM.format(kind=kind)], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    while process.stdout.readline().strip() != last:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ('', '', code)


@pytest.mark.parametrize(('kind', 'ahead'), [('node', '1'), ('command', 'None')])
def test_nodes_compile_ahead_and_commands_what_they_call(tmp_path, kind, ahead):
    (tmp_path / 'slow').mkdir()
    (tmp_path / 'slow' / 'program.py').write_text(
        "import os\ndef main():\n    print(os.environ.get('MB_COMPILE_AHEAD'))\n")
    done = subprocess.run([sys.executable, '-c', PROGRAM.format(kind=kind)], text=True, check=True,
                          capture_output=True, env={name: value for name, value
                               in os.environ.items() if name != 'MB_COMPILE_AHEAD'})
    assert done.stdout.split() == [ahead]


def ours(number, frame):
    """Be a handler of SIGINT that a program brings."""


@pytest.mark.parametrize(('before', 'after'), [
    (signal.default_int_handler, interrupt_once), (interrupt_once, interrupt_once), (ours, ours),
    (signal.SIG_IGN, signal.SIG_IGN)])
def test_what_main_returns_is_the_exit_code(tmp_path, monkeypatch, before, after):
    """Its handler of SIGINT is the one before, or that which raises KeyboardInterrupt once."""
    (tmp_path / 'quick_program.py').write_text('def main():\n    return 7\n')
    monkeypatch.syspath_prepend(tmp_path)
    of_tests = signal.signal(signal.SIGINT, before)
    try:
        assert command.quick_program() == 7
        assert signal.getsignal(signal.SIGINT) is after
    finally:
        signal.signal(signal.SIGINT, of_tests)


PARENT = """
import os, subprocess, sys
environment = {{**os.environ, 'MB_LAUNCH': str(os.{launch}())}}
subprocess.Popen([sys.executable, '-c', {program!r}], env=environment, stdin=subprocess.PIPE)
sys.stdin.read()
"""


@pytest.mark.parametrize(('launch', 'stays'), [('getpid', False), ('getppid', True)])
def test_a_launched_program_ends_with_its_launch(tmp_path, launch, stays):
    """And no other does: in the background of a shell that ends it stays."""
    (tmp_path / 'slow_program.py').write_text(
        'import os, time\ndef main():\n    print(os.getpid(), flush=True)\n    time.sleep(60)\n')
    program = PROGRAM.format(kind='node').replace('slow.program', 'slow_program')
    parent = subprocess.Popen(
        [sys.executable, '-c', PARENT.format(launch=launch, program=program)], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child = int(parent.stdout.readline())
    parent.kill()
    try:
        parent.communicate(timeout=1.0 if stays else 30.0)      # until the last writer has ended
        assert not stays
    except subprocess.TimeoutExpired:
        assert stays
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(('kind', 'code'), [('node', 0), ('command', 130)])
@pytest.mark.parametrize('reaped', [True, False])
def test_a_program_whose_launch_has_ended_already_does_not_run(tmp_path, kind, code, reaped):
    (tmp_path / 'slow').mkdir()
    (tmp_path / 'slow' / 'program.py').write_text(RUNNING)
    launch = subprocess.Popen(['true'])
    os.waitid(os.P_PID, launch.pid, os.WEXITED | (0 if reaped else os.WNOWAIT))
    program = subprocess.run(
        [sys.executable, '-c', PROGRAM.format(kind=kind)], text=True, capture_output=True,
        env={**os.environ, 'MB_LAUNCH': str(launch.pid)},
        timeout=30)
    launch.wait()
    assert (program.stdout, program.stderr, program.returncode) == ('', '', code)


GARBAGE = """
import atexit, gc
assert not gc.isenabled()
class Own:
    pass
def main():
    assert gc.isenabled()
    one = Own()
    one.itself = one
    del one
    gc.collect()
    assert not any(isinstance(each, Own) for each in gc.get_objects())
    stays = Own()
    stays.itself = stays
    atexit.register(lambda: print(any(isinstance(each, Own) for each in gc.get_objects())))
"""


def test_garbage_is_looked_for_by_main_alone(tmp_path):
    """What an import makes stays; what is left at the end goes with the process."""
    (tmp_path / 'slow').mkdir()
    (tmp_path / 'slow' / 'program.py').write_text(GARBAGE)
    output = subprocess.run(
        [sys.executable, '-c', PROGRAM.format(kind='command')], text=True, check=True,
        capture_output=True).stdout
    assert output == 'False\n'


@pytest.mark.parametrize('text', ['import rclpy\ndef main():\n    pass\n',
                                  'def main():\n    import rclpy\n'])
def test_without_ros_it_ends_in_one_line(tmp_path, monkeypatch, capsys, text):
    """Where pip has installed the library alone."""
    name = f'without_ros_{len(text)}'
    (tmp_path / f'{name}.py').write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, 'rclpy', None)
    assert getattr(command, name)() == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert 'source a ROS 2' in said


def test_what_is_missing_beside_ros_is_raised(tmp_path, monkeypatch):
    (tmp_path / 'lacks_something.py').write_text('import no_such_module\n')
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match='no_such_module'):
        command.lacks_something()
