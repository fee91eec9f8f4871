"""How the processes under test begin and end."""
import threading

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
        """Return the event of a process, by action or name; `returncode` if it has ended."""
        if isinstance(key, str):
            return self._events[resolveProcesses(self, process=key)[0]]
        return self._events[key]


class ActiveProcInfoHandler(ProcInfoHandler):
    """A ProcInfoHandler of processes that run; it can wait for them."""

    def __init__(self):
        super().__init__()
        self._changed = threading.Condition()

    @property
    def proc_event(self):
        return self._changed

    def append(self, process_info):
        with self._changed:
            super().append(process_info)
            self._changed.notify_all()

    def assertWaitForShutdown(self, process, *, cmd_args=None, timeout=10):
        """Wait until the process has ended; an AssertionError after `timeout` seconds."""
        self._wait(process, cmd_args, timeout, ended=True)

    def assertWaitForStartup(self, process, *, cmd_args=None, timeout=10):
        """Wait until the process has been started; an AssertionError after `timeout` seconds."""
        self._wait(process, cmd_args, timeout, ended=False)

    def waitForShutdown(self, process, *, cmd_args=None, timeout=10):
        """Return whether the process ends in time."""
        try:
            self.assertWaitForShutdown(process, cmd_args=cmd_args, timeout=timeout)
        except AssertionError:
            return False
        return True

    def waitForStartup(self, process, *, cmd_args=None, timeout=10):
        """Return whether the process starts in time."""
        try:
            self.assertWaitForStartup(process, cmd_args=cmd_args, timeout=timeout)
        except AssertionError:
            return False
        return True

    def _wait(self, process, cmd_args, timeout, ended):
        def reached():
            try:
                found = resolveProcesses(self, process=process, cmd_args=cmd_args)
            except NoMatchingProcessException:
                return False
            return not ended or all(hasattr(self._events[one], 'returncode') for one in found)
        with self._changed:
            if self._changed.wait_for(reached, timeout=timeout):
                return
        what = 'end' if ended else 'start'
        raise AssertionError(f"Timed out waiting for process '{process}' to {what} "
                             f'(after {timeout} s)')
