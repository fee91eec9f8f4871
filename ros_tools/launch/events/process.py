"""The base of events, and the events of processes."""
from collections.abc import Callable
import signal


class Event:
    """Base of all events."""

    name = 'launch.Event'


class RunningProcessEvent(Event):
    """Base of events of one process; `action` has started it."""

    name = 'launch.events.process.RunningProcessEvent'

    def __init__(self, *, action, name: str, cmd: list[str], cwd: str | None,
                 env: dict[str, str] | None, pid: int) -> None:
        self.action = action
        self.process_name = name
        self.cmd = cmd
        self.cwd = cwd
        self.env = env
        self.pid = pid


class ProcessStarted(RunningProcessEvent):
    """Emitted when a process has a pid."""

    name = 'launch.events.process.ProcessStarted'


class ProcessExited(RunningProcessEvent):
    """Emitted when a process has ended; a signal n gives the code -n."""

    name = 'launch.events.process.ProcessExited'

    def __init__(self, *, returncode: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.returncode = returncode


class ProcessIO(RunningProcessEvent):
    """Emitted for each piece of output (bytes); fd is 1 or 2."""

    name = 'launch.events.process.ProcessIO'

    def __init__(self, *, text: bytes, fd: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.text = text
        self.from_stdout, self.from_stderr = fd == 1, fd == 2


class ProcessTargetedEvent(Event):
    """Base of events to which the processes react whose ExecuteLocal actions match."""

    name = 'launch.events.process.ProcessTargetedEvent'

    def __init__(self, *, process_matcher: Callable[[object], bool]) -> None:
        self.process_matcher = process_matcher


class ShutdownProcess(ProcessTargetedEvent):
    """Emitted to end the processes that match: SIGINT, then SIGTERM, then SIGKILL."""

    name = 'launch.events.process.ShutdownProcess'


class SignalProcess(ProcessTargetedEvent):
    """Emitted to send a signal (a number, or a name such as 'SIGUSR1') to processes."""

    name = 'launch.events.process.SignalProcess'

    def __init__(self, *, signal_number: str | int | signal.Signals,
                 process_matcher: Callable[[object], bool]) -> None:
        super().__init__(process_matcher=process_matcher)
        self.signal = (signal.Signals[signal_number] if isinstance(signal_number, str)
                       else signal.Signals(signal_number))
