"""A sign of life while processes start: for seconds, none of them has anything to say."""

import time
from typing import Any

from launch import LaunchContext
from launch.actions import LogInfo, OpaqueFunction, RegisterEventHandler, TimerAction
from launch.event_handlers import OnProcessExit, OnProcessIO

PERIOD = 1.0            # between the first signs, and then at most between any [s]
OFTEN = 5               # signs after which they become rarer
SELDOM = 5.0            # [s]


class Starting:
    """Says every second that processes start, until one of them shows that the run goes on."""

    def __init__(self, count: int, shows: Any) -> None:
        """Set up for a count of processes; shows: the one whose first line is of the run."""
        self._count, self._shows = count, shows
        self._begun, self._said, self._over = time.monotonic(), 0, False

    def actions(self) -> list[Any]:
        """Return the actions that say so."""
        def over(_event: Any, _context: Any = None) -> None:
            self._over = True
        return [LogInfo(msg=f'starting {self._count} processes'),
                RegisterEventHandler(OnProcessIO(target_action=self._shows, on_stdout=over)),
                RegisterEventHandler(OnProcessExit(target_action=self._shows, on_exit=over)),
                self._next()]

    def _next(self) -> TimerAction:
        period = PERIOD if self._said < OFTEN else SELDOM
        return TimerAction(period=period, actions=[OpaqueFunction(function=self._say)])

    def _say(self, context: LaunchContext) -> Any:
        if self._over or context.is_shutdown:
            return []
        self._said += 1
        return [LogInfo(msg=f'starting, {time.monotonic() - self._begun:.0f} s'), self._next()]
