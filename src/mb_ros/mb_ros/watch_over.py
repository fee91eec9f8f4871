"""A process that watches over another, which may be busy: passes on signals, and sees to its end.

It imports nothing that installs signal handlers, starts threads or takes long, so that it handles
every signal at once.  The process that it watches over need not handle any, and is made anew when
it is killed.
"""

from collections.abc import Callable
from contextlib import suppress
import ctypes
from math import inf
import mmap
import os
import select
import signal
import sys
import time

from mb_ros.program import end_with_parent

SIGNALS = signal.SIGINT, signal.SIGTERM
PATIENCE = 10.0         # wall time to end in order after a signal [s]; a launch kills after 20
LINGER = 1.0            # wall time for the template process to end after its child [s]
KILLED = 128 + signal.SIGKILL
SHORT = 10.0            # of a template process that is killed [s]
MOST_SHORT = 5          # in a row; after so many, another would be killed, or crash, too
PR_SET_CHILD_SUBREAPER = 36     # of Linux
RunTemplate = Callable[[Callable[[], bool], Callable[[int], object], int | None], int]


def watch_over(run_template: RunTemplate) -> int:
    """Return the exit code of run_template(stop_requested, report_child, killed), run in a fork.

    Signals do not reach this template process, but only its newest child.  One that is itself
    ended by a signal is followed by another, and its child is killed before.
    stop_requested(): whether a signal came; report_child(process id): the template has forked;
    killed: exit code of the template process that was killed before, else None.
    Before the first child a signal ends the template process at once, with exit code 0.
    """
    watch = _Watch()
    if sys.platform == 'linux':     # the child of a killed template process becomes ours
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.signal(signal.SIGCHLD, watch.reap_orphans)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    for number in SIGNALS:
        signal.signal(number, watch.pass_on)
    killed, short = None, 0
    while True:
        begin = time.monotonic()
        child_ids = watch.begin(run_template, killed)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        code, by_others = watch.exit_code(child_ids)
        os.close(child_ids)
        if not by_others or watch.stop_requested():
            return code
        killed, short = code, short + 1 if time.monotonic() - begin < SHORT else 0
        if short == MOST_SHORT:
            print(f'keep: killed {short} times in a row, given up', file=sys.stderr, flush=True)
            return code
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        if watch.stop_requested():
            return 0


def wait_for(process: int, options: int = 0) -> int | None:
    """Return the exit code of a child process, or None if WNOHANG is given and it still runs.

    A signal counts as in shells: 128 and its number.
    """
    ended, status = os.waitpid(process, options)
    if not ended:
        return None
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


class _Watch:
    """What is known of the template process and its newest child."""

    def __init__(self) -> None:
        """Set up without a process."""
        self._flag = mmap.mmap(-1, 1)       # shared with all forks: whether a signal came
        self._template = 0                  # process id
        self._child: int | None = None
        self._last_signal: int | None = None
        self._wake, self._wake_writer = os.pipe()

    def begin(self, run_template: RunTemplate, killed: int | None) -> int:
        """Fork a template process, signals being blocked; return the pipe of its children."""
        child_ids, writer = os.pipe()
        parent, self._template, self._child = os.getpid(), 0, None
        self._template = os.fork()
        if self._template:
            os.close(writer)
            return child_ids
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(child_ids)
        end_with_parent(parent, signal.SIGKILL)
        os.setpgid(0, 0)            # not in the group of the terminal: Ctrl-C comes once, from here
        code = run_template(
            self.stop_requested, lambda child: os.write(writer, b'%d\n' % child), killed)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    def stop_requested(self) -> bool:
        """Return whether a signal came, in any fork."""
        return bool(self._flag[0])

    def reap_orphans(self, _number: int, _frame: object) -> None:
        """Let processes go that lives have begun and that have ended after them."""
        while self._template:
            with suppress(ChildProcessError):
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended and ended.si_pid not in (self._template, self._child):
                    os.waitpid(ended.si_pid, 0)
                    continue
            return

    def pass_on(self, number: int, _frame: object) -> None:
        """Handle a signal."""
        self._flag[0] = 1
        self._last_signal = number
        self._signal_child(number)
        os.write(self._wake_writer, b'\0')      # wakes select(), so that the deadline starts

    def exit_code(self, child_ids: int) -> tuple[int, bool]:
        """Wait for the template process; return its exit code, and whether others have killed it.

        child_ids: pipe of process ids.  Kills it, and its child with it, if they do not end in
        time after a signal.
        """
        if self._wait(child_ids):
            _, status = os.waitpid(self._template, 0)
            code = os.waitstatus_to_exitcode(status)
            if code < 0:
                self._end_child()
            return (code, False) if code >= 0 else (128 - code, True)
        os.kill(self._template, signal.SIGKILL)
        os.waitpid(self._template, 0)
        if self._child is None:
            return 0, False
        code = self._end_child()
        if code == KILLED:
            print(f'keep: did not end within {PATIENCE:g} s, killed', file=sys.stderr, flush=True)
        return code, False

    def _wait(self, child_ids: int) -> bool:
        """Note children until the template process has ended: True; False if it is to be killed."""
        deadline: float | None = None
        life: list[int] = []            # descriptor of the child, once it is to end
        try:
            while True:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                ready, _, _ = select.select([child_ids, self._wake, *life], [], [], left)
                if not ready:
                    return False
                if child_ids in ready:
                    reported = os.read(child_ids, 4096).split()
                    if not reported:        # closed
                        return True
                    self._child = int(reported[-1])
                    if self._last_signal:   # came before this child was known
                        self._signal_child(self._last_signal)
                        life = self._opened_child(instead=life)
                        deadline = time.monotonic() + PATIENCE
                if self._wake in ready:
                    os.read(self._wake, 64)
                    if self._child is None:
                        return False
                    deadline = deadline or time.monotonic() + PATIENCE
                    life = self._opened_child(instead=life)
                if set(life) & set(ready):  # a template that hangs in an import will not notice
                    deadline = min(deadline or inf, time.monotonic() + LINGER)
                    os.close(life.pop())
        finally:
            for descriptor in life:
                os.close(descriptor)

    def _opened_child(self, instead: list[int]) -> list[int]:
        """Return a descriptor that is ready when the child has ended, in a list, where there is.

        instead: the one before, which is closed.
        """
        for descriptor in instead:
            os.close(descriptor)
        if self._child is None:
            return []
        with suppress(AttributeError, OSError):     # Linux from 5.3 on
            return [os.pidfd_open(self._child)]
        return []

    def _signal_child(self, number: int) -> None:
        if self._child:
            with suppress(ProcessLookupError):      # has just ended
                os.kill(self._child, number)

    def _end_child(self) -> int:
        """Kill the child of a template process that is gone; return its exit code, as a shell."""
        if self._child is None:
            return KILLED
        self._signal_child(signal.SIGKILL)
        with suppress(ChildProcessError):           # where it has not become ours
            return wait_for(self._child) or 0
        return KILLED
