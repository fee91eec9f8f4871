"""How the processes under test begin and end."""
import threading

from launch.events.process import ProcessExited

from .util.proc_lookup import NoMatchingProcessException, resolveProcesses


class ProcInfoHandler:
    """The last event, start or exit, of each process."""

    def __init__(self):
        self._events = {}

    def append(self, process_info):
        self._events[process_info.action] = process_info

    def __iter__(self):
        return iter(list(self._events.values()))

    def processes(self):
        """Return the actions of the processes."""
        return list(self._events)

    def process_names(self):
        return [event.process_name for event in list(self._events.values())]

    def __getitem__(self, key):
        """Return the event of a process, by action or (a part of) its name."""
        if not isinstance(key, str):
            return self._events[key]
        for event in self._events.values():
            if key in event.process_name:
                return event
        raise KeyError(key)


class ActiveProcInfoHandler(ProcInfoHandler):
    """A ProcInfoHandler of processes that run; it can wait for them."""

    def __init__(self):
        self._changed = threading.Condition()
        self._proc_info_handler = ProcInfoHandler()     # for the tests after the shutdown

    @property
    def proc_event(self):
        """The condition that is notified of starts and ends."""
        return self._changed

    def append(self, process_info):
        with self._changed:
            self._proc_info_handler.append(process_info)
            self._changed.notify_all()

    def __iter__(self):
        with self._changed:
            return iter(self._proc_info_handler)

    def processes(self):
        with self._changed:
            return self._proc_info_handler.processes()

    def process_names(self):
        with self._changed:
            return self._proc_info_handler.process_names()

    def __getitem__(self, key):
        with self._changed:
            return self._proc_info_handler[key]

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
        events = self._proc_info_handler

        def reached():
            try:
                found = resolveProcesses(events, process=process, cmd_args=cmd_args)
            except NoMatchingProcessException:
                return False
            return all(isinstance(events[action], event_class) for action in found)
        with self._changed:
            return self._changed.wait_for(reached, timeout=timeout)
