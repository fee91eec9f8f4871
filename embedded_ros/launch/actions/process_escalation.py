"""The end of a process that does not want to end."""
from collections.abc import Callable
import signal


class Escalation:
    """SIGTERM sigterm_timeout seconds after SIGINT, SIGKILL sigkill_timeout seconds later."""

    def __init__(self, name: str, logger, send: Callable[[signal.Signals], None],
                 sigterm_timeout: str, sigkill_timeout: str) -> None:
        self._name = name
        self._logger = logger
        self._send = send
        self._sigterm_timeout = sigterm_timeout
        self._sigkill_timeout = sigkill_timeout
        self._timers: list = []

    def start(self, loop) -> None:
        """Begin to count: SIGINT has been sent just now."""
        sigterm, sigkill = float(self._sigterm_timeout), float(self._sigkill_timeout)
        self._timers = [
            loop.call_later(sigterm, self._escalate, self._sigterm_timeout,
                            signal.SIGINT, signal.SIGTERM),
            loop.call_later(sigterm + sigkill, self._escalate, str(sigterm + sigkill),
                            signal.SIGTERM, signal.SIGKILL)]

    def _escalate(self, seconds: str, received: signal.Signals, next_one: signal.Signals) -> None:
        self._logger.error(
            f"process[{self._name}] failed to terminate '{seconds}' seconds after receiving "
            f"'{received.name}', escalating to '{next_one.name}'")
        self._send(next_one)

    def cancel(self) -> None:
        """Send nothing more: the process has ended."""
        for timer in self._timers:
            timer.cancel()
