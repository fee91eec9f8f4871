"""Nodes and commands as programs that Ctrl-C ends without a traceback, also while they start.

An entry point names what kind of program it is, and after that the module whose main() it runs, or
one of several programs of a module by its name:

    'sources = mb_ros.program:command.mb_sensors.commands.sources'
    'encoder_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.encoder_driver'

This module itself imports next to nothing: what a program imports takes seconds, and is imported
when an interrupt is understood already.

A program whose launch file says so ends with `ros2 launch`, however that ends: on ROS 2 it ends at
once when it is terminated or killed, and leaves its processes running.  A program that was still
starting Python then does not run at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import ctypes
import gc
from importlib import import_module
from importlib.util import find_spec
import os
import signal
import sys
from typing import Any

from mb_ros.compiled_aloud import say_what_is_compiled
from mb_ros.memory_lock import LOCK, lock_memory
from mb_ros.standard_streams import lost_output, plain_streams

LEAST_PYTHON = 3, 11
LAUNCH = 'MB_LAUNCH'        # environment variable: process id of a launch to end with
AHEAD = 'MB_COMPILE_AHEAD'  # environment variable of nodes: kernels do not wait for a call
PR_SET_PDEATHSIG = 1        # of Linux
FAILURE, WRONG = 1, 2       # exit codes
# Where pip installed the library alone
NO_ROS = ('This command needs ROS 2, whose {} is not there: '
          'source a ROS 2, or run `make setup` in a clone and `source .venv/bin/activate`')


if sys.version_info < LEAST_PYTHON:      # before a module that an older one cannot read
    sys.exit('mb_state_estimation needs Python {}.{} or newer, and {} is {}.{}'.format(
        *LEAST_PYTHON, sys.executable, *sys.version_info[:2]))


class Program:
    """Imports a module and runs its main(); attributes lead to modules further down."""

    def __init__(self, interrupted, ahead, module=''):
        """Set up for the exit code of a program that is interrupted; ahead: see AHEAD."""
        self._interrupted, self._ahead = interrupted, ahead
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        return Program(self._interrupted, self._ahead, f'{self._module}.{name}'.lstrip('.'))

    def __call__(self):
        """Return what main() does, or the exit code of the interrupted, or of lost output."""
        with plain_streams(ends=not self._ahead):
            try:
                code = self._run()
            except SystemExit as end:
                code = end.code
            lost = lost_output()
            if lost:
                print(lost, file=sys.stderr)
            return code or (FAILURE if lost else code)

    def _run(self):
        """Return what main() does, or the exit code of the interrupted."""
        launch = int(os.environ.get(LAUNCH) or 0)
        if launch == os.getppid():      # not of what launched programs start in their turn
            end_with_parent(launch, signal.SIGTERM)
        elif launch and _has_ended(launch):     # while this process was starting
            return self._interrupted
        if self._ahead:
            os.environ[AHEAD] = '1'
        if os.environ.get(LOCK) and (problem := lock_memory()):
            print(problem, file=sys.stderr)
        say_what_is_compiled()
        try:
            return self._imported()()
        except KeyboardInterrupt:
            return self._interrupted
        except ModuleNotFoundError as error:
            if find_spec('rclpy'):
                raise
            print(NO_ROS.format(error.name), file=sys.stderr)
            return WRONG
        except Exception as error:      # Python's own, when interrupted while it makes a class
            if not _is_of_interrupt(error):
                raise
            return self._interrupted
        finally:
            gc.freeze()     # Python looks for garbage once more when it ends

    def _imported(self):
        """Return main(); end at once when interrupted before there is anything to clean up."""
        before, at_once = signal.getsignal(signal.SIGINT), EndAtOnce(self._interrupted)
        if before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, at_once)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})     # of launch files
        with uncollected():
            main = main_of(self._module)
        # A node has nothing to clean up until it runs, see noted_interrupts.
        ours = at_once if self._ahead else interrupt_once
        signal.signal(signal.SIGINT, ours if before is signal.default_int_handler else before)
        return main


class EndAtOnce:
    """Handler of SIGINT while there is nothing to clean up.

    An exception would be lost now and then: where modules are made, Python and libraries replace
    or ignore what is raised.
    """

    def __init__(self, code: int) -> None:
        """Set up for the exit code of the process."""
        self._code = code

    def __call__(self, _number: int, _frame: Any) -> None:
        """End the process."""
        os._exit(self._code)


def interrupt_once(number: int, frame: Any) -> None:
    """Be the handler of SIGINT: raise KeyboardInterrupt, and ignore it from then on.

    A launch sends it again after a terminal did, when the program has nothing left but to end.
    """
    signal.signal(number, signal.SIG_IGN)
    signal.default_int_handler(number, frame)


def main_of(path):
    """Return main() of a module by its path, or the program that the path of a module ends in."""
    try:
        return import_module(path).main
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
    module, _, name = path.rpartition('.')
    return getattr(import_module(module), name)


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave garbage alone while modules and nodes are made, and these for ever: they stay.

    To look through them takes a tenth of the time of a start, and then tenths of a second at times.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()             # unless something has failed: that is to go
    finally:
        if enabled:
            gc.enable()


def end_with_parent(parent: int, number: int) -> None:
    """Let this process get a signal when its parent, by process id, ends, where the system can."""
    if sys.platform == 'linux':
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:      # has ended meanwhile
            os.kill(os.getpid(), number)


def _is_of_interrupt(error: BaseException | None) -> bool:
    """Return whether an exception was raised in handling a KeyboardInterrupt."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _has_ended(process: int) -> bool:
    """Return whether a process, by its id, has ended, where the system knows.

    Also if its parent has not waited for it yet.
    """
    if sys.platform != 'linux':
        return False
    try:
        with open(f'/proc/{process}/stat', encoding='utf-8', errors='replace') as file:
            return file.read().rpartition(')')[2].split()[0] in 'ZX'
    except (FileNotFoundError, ProcessLookupError):
        return True


node = Program(interrupted=0, ahead=True)       # a launch ends it like this
command = Program(interrupted=130, ahead=False)     # as of shells: 128 and the signal's number
