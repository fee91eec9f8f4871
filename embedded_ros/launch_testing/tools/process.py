"""A process in a running launch."""
from contextlib import contextmanager

from launch import LaunchDescription
from launch.actions import ExecuteLocal
from launch.events import matches_action
from launch.events.process import ProcessExited, ProcessStarted, ShutdownProcess
from launch.utilities import ensure_argument_type


class Answer:
    """A truth value that shows the output it is about."""

    def __init__(self, value, output):
        self._value = value
        self._output = output

    def __bool__(self):
        return bool(self._value)

    def __repr__(self):
        return f'<{bool(self)}: {self._output!r}>'


class ProcessProxy:
    """The state and the output of one process."""

    def __init__(self, process_action, proc_info, proc_output, *, output_filter=None):
        # Imported here: these modules need launch_testing.tools themselves.
        from ..io_handler import ActiveIoHandler
        from ..proc_info_handler import ActiveProcInfoHandler
        ensure_argument_type(process_action, ExecuteLocal, 'process_action')
        ensure_argument_type(proc_info, ActiveProcInfoHandler, 'proc_info')
        ensure_argument_type(proc_output, ActiveIoHandler, 'proc_output')
        if output_filter is not None and not callable(output_filter):
            raise TypeError(f"Expected 'output_filter' to be callable but got '{output_filter!r}'")
        self._action = process_action
        self._proc_info = proc_info
        self._proc_output = proc_output
        self._output_filter = output_filter

    @property
    def target_process_action(self):
        return self._action

    def wait_for_shutdown(self, timeout=None):
        """Return whether the process ends within `timeout` seconds (None: wait for ever)."""
        with self._proc_info.proc_event:
            return self._proc_info.proc_event.wait_for(lambda: self.terminated, timeout=timeout)

    def wait_for_output(self, condition=None, timeout=None):
        """Return whether the output of the running process meets a condition in time."""
        if condition is not None and not callable(condition):
            raise TypeError(f"Expected 'condition' to be callable but got '{condition!r}'")
        seen = None

        def met():
            nonlocal seen
            if not self.running:
                return False
            seen = self.output
            return condition is None or condition(seen)
        with self._proc_output.io_event:
            return Answer(self._proc_output.io_event.wait_for(met, timeout=timeout), seen)

    @property
    def stdout(self):
        return self._text('from_stdout')

    @property
    def stderr(self):
        return self._text('from_stderr')

    @property
    def output(self):
        """Standard output and standard error, as they came."""
        return self._text('text')

    def _text(self, condition):
        text = b''.join(event.text for event in self._proc_output[self._action]
                        if getattr(event, condition)).decode(errors='replace')
        return self._output_filter(text) if self._output_filter is not None else text

    @property
    def running(self):
        return isinstance(self._last_event(), ProcessStarted)

    @property
    def terminated(self):
        return isinstance(self._last_event(), ProcessExited)

    @property
    def exit_code(self):
        """Exit code, or None as long as the process has not ended."""
        return getattr(self._last_event(), 'returncode', None)

    def _last_event(self):
        known = self._action in self._proc_info.processes()
        return self._proc_info[self._action] if known else None


@contextmanager
def launch_process(launch_service, process_action, proc_info, proc_output, **kwargs):
    """Start a process in a launch service that runs in another thread; end it at the exit.

    proc_info and proc_output: of the test; they note what all processes do.
    """
    proxy = ProcessProxy(process_action, proc_info, proc_output, **kwargs)
    launch_service.include_launch_description(LaunchDescription([process_action]))
    try:
        yield proxy
    finally:
        if not proxy.terminated:
            launch_service.emit_event(
                ShutdownProcess(process_matcher=matches_action(process_action)))
