"""Nodes that come back at once when they crash.

    ros2 run mb_ros keep mb_estimators/estimator --ros-args -p sensors:="[crank_encoder]"

Takes what `compose` takes.  What nodes import takes seconds; it is imported once, also what the
first life imports when it knows its parameters, and every life of the nodes is a fork of the
process that has done so.  A life that ends by itself, or because what the user gave cannot be used,
is the last one.
"""

from contextlib import suppress
import ctypes
from importlib import import_module
import os
import signal
import sys
from threading import Thread
import time

from rclpy.logging import get_logger

from mb_ros.compose import makers_of
from mb_ros.node_main import USER_ERROR, run

SHORT_LIFE = 2.0            # [s]
MOST_SHORT_LIVES = 5        # in a row; then whatever is wrong will not pass
REST = 0.5                  # before another life after a short one [s]
SETTLED = 1.5               # time without imports after which a life has what it needs [s]
PR_SET_PDEATHSIG = 1        # of Linux


def main():
    """Run the nodes that the command line names, again and again."""
    makers = makers_of(sys.argv[1:])
    if makers is None:
        return USER_ERROR
    keeper, short_lives = _Keeper(), 0
    while True:
        begin = time.monotonic()
        if keeper.fork() == 0:
            return run(makers, args=[])
        code = keeper.wait()
        if code in (0, USER_ERROR) or keeper.told:
            _leave(code)
        short_lives = short_lives + 1 if time.monotonic() - begin < SHORT_LIFE else 0
        names = ', '.join(make.__name__ for make in makers)
        if short_lives == MOST_SHORT_LIVES:
            get_logger('keep').fatal(f'{names}: crashed {short_lives} times in a row, given up')
            _leave(code)
        get_logger('keep').error(f'{names}: {_end(code)}, begins again')
        if short_lives > 1:
            time.sleep(REST)


class _Keeper:
    """One child at a time, which hears the signals that this process is sent."""

    def __init__(self):
        self.told = False       # to end
        self._child = None
        self._before = {number: signal.signal(number, self._pass_on)
                        for number in (signal.SIGINT, signal.SIGTERM)}

    def fork(self):
        """Return 0 in the child, which ends with this process; elsewhere its process id."""
        keeper = os.getpid()
        self._names, names = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            for number, handler in self._before.items():
                signal.signal(number, handler)
            os.setpgid(0, 0)        # a Ctrl-C of the terminal comes once, from the keeper
            _end_with_parent(keeper)
            os.close(self._names)
            Thread(target=_tell_imports, args=(names,), daemon=True).start()
        else:
            os.close(names)
        return self._child

    def wait(self):
        """Return the exit code of the child when it has ended, as of shells for a signal.

        Imports what the child has imported, as long as it lives.
        """
        with open(self._names, encoding='utf-8') as names:      # until it has told them, or ended
            missing = [name for name in names.read().split() if name not in sys.modules]
        ended = 0
        while missing and not ended:
            with suppress(ImportError):
                import_module(missing.pop(0))
            ended, status = os.waitpid(self._child, os.WNOHANG)
        if not ended:
            _, status = os.waitpid(self._child, 0)
        self._child = None
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code

    def _pass_on(self, number, _frame):
        self.told = True
        if self._child:
            os.kill(self._child, number)


def _leave(code):
    """End at once: there is nothing to tidy up, and to forget all modules takes a second."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _tell_imports(pipe):
    """Write the names of all imported modules to a pipe when the nodes have settled."""
    known = 0
    while len(sys.modules) > known:
        known = len(sys.modules)
        time.sleep(SETTLED)
    with open(pipe, 'w', encoding='utf-8') as names:
        names.write('\n'.join(list(sys.modules)))


def _end_with_parent(parent):
    """Let this process be killed when its parent ends, where the system can."""
    if sys.platform == 'linux':
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:      # has ended meanwhile
            os._exit(1)


def _end(code):
    """Return how a life has ended, in words."""
    return f'ended by {signal.Signals(code - 128).name}' if code > 128 else f'failed with {code}'
