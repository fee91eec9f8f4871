"""A signal for processes."""
from collections.abc import Callable
import signal

from .process_targeted_event import ProcessTargetedEvent


class SignalProcess(ProcessTargetedEvent):
    """Emitted to send a signal (a number, or a name such as 'SIGUSR1') to processes."""

    name = 'launch.events.process.SignalProcess'

    def __init__(self, *, signal_number: str | int | signal.Signals,
                 process_matcher: Callable[[object], bool]) -> None:
        super().__init__(process_matcher=process_matcher)
        if isinstance(signal_number, str):
            self.__signal = signal.Signals[signal_number]
        else:
            self.__signal = signal.Signals(signal_number)

    @property
    def signal(self) -> signal.Signals:
        return self.__signal

    @property
    def signal_name(self) -> str:
        return self.__signal.name
