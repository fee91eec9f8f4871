"""How the processes under test begin and end."""
import threading

from launch.events.process import ProcessExited

from .util import NoMatchingProcessException, resolveProcesses


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
