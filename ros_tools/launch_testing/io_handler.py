"""What processes print, and how they end."""
import threading

from launch.events.process import ProcessExited

from .asserts import assertInStderr, assertInStdout
from .util import NoMatchingProcessException, resolveProcesses


class IoHandler:
    """The ProcessIO events of all processes, in the order they came; from any thread."""

    def __init__(self):
        self._changed = threading.Condition()
        self._events = []
        self._by_process = {}
        self._tracked = {}

    def track(self, process_name):
        """Know a process before it prints something."""
        with self._changed:
            self._tracked.setdefault(process_name, [])

    def append(self, process_io):
        with self._changed:
            self._events.append(process_io)
            self._by_process.setdefault(process_io.action, []).append(process_io)
            self.track(process_io.process_name)
            self._tracked[process_io.process_name].append(process_io)
            self._changed.notify_all()

    def __iter__(self):
        return iter(list(self._events))

    def processes(self):
        """Return the actions of the processes that have printed something."""
        return list(self._by_process)

    def process_names(self):
        return list(self._tracked)

    def __getitem__(self, key):
        """Return the events of a process, by action or by name (a KeyError if it is unknown)."""
        with self._changed:
            if isinstance(key, str):
                return list(self._tracked[key])
            return list(self._by_process.get(key, []))


class ActiveIoHandler(IoHandler):
    """An IoHandler of processes that run; it can wait for output."""

    def assertWaitFor(self, expected_output, *, timeout=10, **kwargs):
        """Wait until the output appears, see waitFor(); an AssertionError if it does not."""
        assert self.waitFor(expected_output, timeout=timeout, **kwargs), (
            f'Waiting for output timed out after {timeout} s: {expected_output!r}')

    def waitFor(self, expected_output, *, process=None, cmd_args=None, output_filter=None,
                timeout=10, strict_proc_matching=True, strip_ansi_escape_sequences=True,
                stream='stderr'):
        """Return whether the output appears within `timeout` seconds.

        A NoMatchingProcessException if no process that fits has printed anything; stream: 'stderr'
        or 'stdout'; for the rest see assertInStdout().
        """
        if stream not in ('stderr', 'stdout'):
            raise ValueError(f"stream must be 'stdout' or 'stderr', got '{stream}'")
        check = assertInStderr if stream == 'stderr' else assertInStdout

        def appeared():
            try:
                check(self, expected_output, process=process, cmd_args=cmd_args,
                      output_filter=output_filter, strict_proc_matching=strict_proc_matching,
                      strip_ansi_escape_sequences=strip_ansi_escape_sequences)
            except (AssertionError, NoMatchingProcessException):
                return False
            return True
        with self._changed:
            if self._changed.wait_for(appeared, timeout=timeout):
                return True
        resolveProcesses(self, process=process, cmd_args=cmd_args, strict_proc_matching=False)
        return False


class ProcInfoHandler:
    """The last event, start or exit, of each process; from any thread."""

    def __init__(self):
        self._changed = threading.Condition()
        self._events = {}

    def append(self, process_info):
        with self._changed:
            self._events[process_info.action] = process_info
            self._changed.notify_all()

    def __iter__(self):
        return iter(list(self._events.values()))

    def processes(self):
        """Return the actions of the processes."""
        return list(self._events)

    def process_names(self):
        return [event.process_name for event in self]

    def __getitem__(self, key):
        """Return the event of a process, by action or (a part of) its name."""
        if not isinstance(key, str):
            return self._events[key]
        for event in self:
            if key in event.process_name:
                return event
        raise KeyError(key)


class ActiveProcInfoHandler(ProcInfoHandler):
    """A ProcInfoHandler of processes that run; it can wait for them."""

    def assertWaitForShutdown(self, process, cmd_args=None, *, timeout=10):
        """Wait until the process has ended; an AssertionError after `timeout` seconds."""
        assert self.waitForShutdown(process, cmd_args, timeout=timeout), (
            f"Timed out waiting for process '{process}' to finish (after {timeout} s)")

    def assertWaitForStartup(self, process, cmd_args=None, *, timeout=10):
        """Wait until the process has been started; an AssertionError after `timeout` seconds."""
        assert self.waitForStartup(process, cmd_args, timeout=timeout), (
            f"Timed out waiting for process '{process}' to start (after {timeout} s)")

    def waitForShutdown(self, process, cmd_args=None, *, timeout=10):
        """Return whether the process ends in time."""
        return self._wait(process, cmd_args, timeout, ProcessExited)

    def waitForStartup(self, process, cmd_args=None, *, timeout=10):
        """Return whether the process starts in time."""
        return self._wait(process, cmd_args, timeout, object)

    def _wait(self, process, cmd_args, timeout, event_class):
        def reached():
            try:
                found = resolveProcesses(self, process=process, cmd_args=cmd_args)
            except NoMatchingProcessException:
                return False
            return all(isinstance(self[action], event_class) for action in found)
        with self._changed:
            return self._changed.wait_for(reached, timeout=timeout)
