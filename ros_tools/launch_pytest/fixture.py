"""Launches as fixtures: a launch beside the tests that use it."""
import asyncio
import functools
import inspect
import threading

from launch import LaunchDescription, LaunchService
from launch_testing.actions import ReadyToTest
from launch_testing.loader import ready_actions
import pytest

READY_TIMEOUT = 15      # [s] for ReadyToTest
_runs = {}


def fixture(decorated=None, *, shutdown_when_idle=True, auto_shutdown=True, **kwargs):
    """Make a function that returns (or yields) a launch description a fixture.

    The launch runs as long as the fixture lives (scope=... as with pytest.fixture).
    """
    def decorator(function):
        @functools.wraps(function)
        def launched(*args, **kw):
            from .fixture import LaunchRun
            made = function(*args, **kw)
            description = next(made) if inspect.isgenerator(made) else made
            run = LaunchRun(description, shutdown_when_idle=shutdown_when_idle,
                            auto_shutdown=auto_shutdown)
            run.start()
            try:
                yield description
            finally:
                run.stop()
                if inspect.isgenerator(made):
                    next(made, None)
        made = pytest.fixture(**kwargs)(launched)
        made.launch_scope = kwargs.get('scope', 'function')
        return made
    return decorator if decorated is None else decorator(decorated)


class LaunchRun:
    """A launch service in a thread with an event loop, which goes on when the launch has ended."""

    def __init__(self, description, *, shutdown_when_idle=True, auto_shutdown=True):
        self.given = description
        if isinstance(description, (list, tuple)) and description:
            description = description[0]
        if not isinstance(description, LaunchDescription):
            raise TypeError('a launch_pytest fixture must be either a launch description or a '
                            f'sequence starting with one, got {self.given!r}')
        self.description = description
        self.loop = asyncio.new_event_loop()
        self.service = LaunchService()
        self._shutdown_when_idle = shutdown_when_idle
        self._auto_shutdown = auto_shutdown
        self._thread = threading.Thread(target=self._run_loop, name='launch_pytest', daemon=True)
        self._ended = None

    def _run_loop(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def start(self):
        """Start, and wait until the description is ready to be tested."""
        ready = threading.Event()
        actions = list(ready_actions(self.description.entities))
        if len(actions) > 1:
            raise RuntimeError('a launch description may have only one ReadyToTest action')
        if not actions:
            actions = [ReadyToTest()]
            self.description.add_action(actions[0])
        actions[0]._add_callback(ready.set)
        _runs[id(self.given)] = self
        self.service.include_launch_description(self.description)
        self._thread.start()
        self._ended = asyncio.run_coroutine_threadsafe(
            self.service.run_async(shutdown_when_idle=self._shutdown_when_idle), self.loop)
        self._ended.add_done_callback(lambda _: ready.set())
        if not ready.wait(READY_TIMEOUT):
            self.stop()
            raise RuntimeError('Timed out waiting for ReadyToTest')

    def call(self, coroutine):
        """Run a coroutine in the loop of the launch; return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def shutdown(self):
        """End the launch and wait for that; an AssertionError if an exception ended it."""
        if self._auto_shutdown:
            self.service.shutdown()
        code = self._ended.result()
        assert code == 0, f'the launch ended with an exception: {self.service.failure}'

    def stop(self):
        """End the launch and the loop."""
        self.service.shutdown()
        try:
            self._ended.result()
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()
            self.loop.close()
            _runs.pop(id(self.given), None)


def run_of(given):
    """Return the run of what a launch_pytest fixture gave."""
    return _runs[id(given)]
