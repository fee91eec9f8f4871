"""A process that watches over another, which may be busy: passes on signals, and sees to its end.

It imports nothing that installs signal handlers, starts threads or takes long, so that it handles
every signal at once.  The process that it watches over need not handle any.
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
PATIENCE = 10.0         # wall time to end in order after a signal [s]; a launch kills after 20
KILLED = 128 + signal.SIGKILL


def watch_over(run_template):
    """Return the exit code of run_template(stop_requested, report_child), run in a fork.

    Signals do not reach this template process, but only its newest child.
    stop_requested(): whether a signal came; report_child(process id): the template has forked.
    Before the first child a signal ends the template process at once, with exit code 0.
    """
    flag = mmap.mmap(-1, 1)         # shared with all forks: whether a signal came
    child_ids, child_ids_writer = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    parent, template = os.getpid(), os.fork()
    if template == 0:
        os.close(child_ids)
        end_with_parent(parent, signal.SIGKILL)
        os.setpgid(0, 0)            # not in the group of the terminal: Ctrl-C comes once, from here
        code = run_template(
            lambda: flag[0], lambda child: os.write(child_ids_writer, b'%d\n' % child))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    os.close(child_ids_writer)
    watch = _Watch(template, flag)
    for number in SIGNALS:
        signal.signal(number, watch.pass_on)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return watch.exit_code(child_ids)


def wait_for(process, options=0):
    """Return the exit code of a child process, or None if WNOHANG is given and it still runs.

    A signal counts as in shells: 128 and its number.
    """
    ended, status = os.waitpid(process, options)
    if not ended:
        return None
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


class _Watch:
    """What is known of a template process and its newest child."""

    def __init__(self, template, flag):
        """Set up for a process id, and a byte that is shared with it."""
        self._template, self._flag, self._child = template, flag, None
        self._last_signal = None
        self._wake, self._wake_writer = os.pipe()

    def pass_on(self, number, _frame):
        """Handle a signal."""
        self._flag[0] = 1
        self._last_signal = number
        self._signal_child(number)
        os.write(self._wake_writer, b'\0')      # wakes select(), so that the deadline starts

    def exit_code(self, child_ids):
        """Wait for the template process and return its exit code; child_ids: pipe of process ids.

        Kills it, and its child with it, if they do not end in time after a signal.
        """
        if self._wait(child_ids):
            return wait_for(self._template)
        if self._child is None:
            self._kill()
            return 0
        print(f'keep: did not end within {PATIENCE:g} s, killed', file=sys.stderr, flush=True)
        self._kill()
        return KILLED

    def _wait(self, child_ids):
        """Note children until the template process has ended: True; False if it is to be killed."""
        deadline = None
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([child_ids, self._wake], [], [], left)
            if not ready:
                return False
            if child_ids in ready:
                reported = os.read(child_ids, 4096).split()
                if not reported:        # closed
                    return True
                self._child = int(reported[-1])
                if self._last_signal:   # came before this child was known
                    self._signal_child(self._last_signal)
            if self._wake in ready:
                os.read(self._wake, 64)
                if self._child is None:
                    return False
                deadline = deadline or time.monotonic() + PATIENCE

    def _signal_child(self, number):
        if self._child:
            with suppress(ProcessLookupError):      # has just ended
                os.kill(self._child, number)

    def _kill(self):
        """Kill the template process and its child, and wait for the former."""
        with suppress(ProcessLookupError):
            os.kill(self._template, signal.SIGKILL)
        self._signal_child(signal.SIGKILL)
        os.waitpid(self._template, 0)
