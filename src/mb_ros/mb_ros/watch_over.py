"""A process over others that may be busy with anything: passes on signals, and sees to the end.

It imports nothing that installs signal handlers, starts threads or takes long, so it hears every
signal at once.  Those it watches over need not hear any.
"""

from contextlib import suppress
import mmap
import os
import select
import signal
import sys
import time

from mb_ros.program import end_with_parent

SIGNALS = signal.SIGINT, signal.SIGTERM
PATIENCE = 10.0         # wall time that others have to end in order [s]; a launch kills after 20
KILLED = 128 + signal.SIGKILL


def watch_over(nurse):
    """Return the exit code of nurse(told, tell), run in a fork that signals do not reach.

    told(): whether all is to end; tell(process id): there is a new life, which gets the signals.
    Before the first life a signal ends the fork at once, with exit code 0.
    """
    flag = mmap.mmap(-1, 1)         # shared with all forks: whether a signal came
    lives, lives_of_nursery = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    parent, nursery = os.getpid(), os.fork()
    if nursery == 0:
        os.close(lives)
        end_with_parent(parent, signal.SIGKILL)
        os.setpgid(0, 0)            # a Ctrl-C of the terminal comes once, from here
        os._exit(_quietly(nurse, lambda: flag[0], lambda life: os.write(
            lives_of_nursery, b'%d\n' % life)))
    os.close(lives_of_nursery)
    watch = _Watch(nursery, flag)
    for number in SIGNALS:
        signal.signal(number, watch.hear)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return watch.until_the_end(lives)


def _quietly(nurse, told, tell):
    code = nurse(told, tell)
    sys.stdout.flush()
    sys.stderr.flush()
    return code


class _Watch:
    """What is known of a nursery and its lives."""

    def __init__(self, nursery, flag):
        """Set up for a process id, and a byte that is shared with it."""
        self._nursery, self._flag, self._life = nursery, flag, None
        self._heard = None              # newest signal
        self._bell, self._ring = os.pipe()

    def hear(self, number, _frame):
        """Handle a signal."""
        self._flag[0] = 1
        self._heard = number
        if self._life:
            with suppress(ProcessLookupError):      # has just ended
                os.kill(self._life, number)
        os.write(self._ring, b'\0')     # whoever waits has to wait no longer than patience

    def until_the_end(self, lives):
        """Return the exit code of the nursery; lives: pipe of the process ids of lives."""
        code = self._code() if self._follow(lives) else None
        if code is not None:
            return code
        if self._life is None:
            self._kill()
            return 0
        print(f'keep: did not end within {PATIENCE:g} s, killed', file=sys.stderr, flush=True)
        self._kill()
        return KILLED

    def _follow(self, lives):
        """Note lives until the nursery has ended: True; False if it is to be killed."""
        deadline = None
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([lives, self._bell], [], [], left)
            if not ready:
                return False
            if lives in ready:
                news = os.read(lives, 4096).split()
                if not news:
                    return True
                self._life = int(news[-1])
                if self._heard:         # before this life was there
                    with suppress(ProcessLookupError):
                        os.kill(self._life, self._heard)
            if self._bell in ready:
                os.read(self._bell, 64)
                if self._life is None:
                    return False
                deadline = deadline or time.monotonic() + PATIENCE

    def _code(self):
        _, status = os.waitpid(self._nursery, 0)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code

    def _kill(self):
        """Kill the nursery, with which its life ends, and wait until it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self._nursery, signal.SIGKILL)
        if self._life:
            with suppress(ProcessLookupError):
                os.kill(self._life, signal.SIGKILL)
        os.waitpid(self._nursery, 0)
