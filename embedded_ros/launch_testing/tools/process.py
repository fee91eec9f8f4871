"""A process in a running launch."""
from contextlib import contextmanager

from launch import LaunchDescription
from launch.actions import EmitEvent
from launch.events import matches_action
from launch.events.process import ShutdownProcess


class ProcessProxy:
    """The state and the output of one process."""

    def __init__(self, process_action, proc_info, proc_output, *, output_filter=None):
        self._action = process_action
        self._proc_info = proc_info
        self._proc_output = proc_output
        self._output_filter = output_filter

    def wait_for_shutdown(self, timeout=None):
        """Return whether the process ends within `timeout` seconds."""
        return self._proc_info.waitForShutdown(process=self._action, timeout=timeout)

    def wait_for_output(self, condition=None, timeout=None):
        """Return whether the stdout meets a condition (see assertWaitFor) within `timeout`."""
        return self._proc_output.waitFor(
            condition if condition is not None else bool, process=self._action,
            output_filter=self._output_filter, timeout=timeout, stream='stdout')

    @property
    def stdout(self):
        return self._text('from_stdout')

    @property
    def stderr(self):
        return self._text('from_stderr')

    @property
    def output(self):
        return self._text('text')

    def _text(self, condition):
        text = b''.join(event.text for event in self._proc_output[self._action]
                        if getattr(event, condition)).decode(errors='replace')
        return self._output_filter(text) if self._output_filter is not None else text

    @property
    def running(self):
        return self._action in self._proc_info.processes() and not self.terminated

    @property
    def terminated(self):
        return self.exit_code is not None

    @property
    def exit_code(self):
        """Exit code, or None as long as the process runs."""
        if self._action not in self._proc_info.processes():
            return None
        return getattr(self._proc_info[self._action], 'returncode', None)


@contextmanager
def launch_process(launch_service, process_action, proc_info=None, proc_output=None, *,
                   output_filter=None):
    """Start a process in a launch service that runs in another thread; end it at the exit."""
    # Imported here: these modules need launch_testing.tools themselves.
    from ..io_handler import ActiveIoHandler
    from ..proc_info_handler import ActiveProcInfoHandler
    from ..test_runner import io_and_info_handlers
    proc_info = proc_info or ActiveProcInfoHandler()
    proc_output = proc_output or ActiveIoHandler()
    launch_service.include_launch_description(LaunchDescription(
        [*io_and_info_handlers(proc_info, proc_output, process_action), process_action]))
    proc_info.assertWaitForStartup(process=process_action, timeout=10)
    proxy = ProcessProxy(process_action, proc_info, proc_output, output_filter=output_filter)
    try:
        yield proxy
    finally:
        if not proxy.terminated:
            launch_service.include_launch_description(LaunchDescription([EmitEvent(
                event=ShutdownProcess(process_matcher=matches_action(process_action)))]))
            proxy.wait_for_shutdown(timeout=20)
