"""Fixtures that are launches."""
import functools
import inspect

import pytest


def fixture(decorated=None, *, shutdown_when_idle=True, auto_shutdown=True, **kwargs):
    """Make a function that returns (or yields) a launch description a fixture.

    The launch runs as long as the fixture lives (scope=... as with pytest.fixture).
    """
    def decorator(function):
        @functools.wraps(function)
        def launched(*args, **kw):
            from .launch_run import LaunchRun
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
