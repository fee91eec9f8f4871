"""Wait for the start, the output and the end of a process.

Each function has a form with `_sync`, and one without it for coroutines.  To look at its output,
the process must have been made with cached_output=True.  timeout [s], None for ever.
"""
import asyncio
import threading
import time

from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart


def wait_for(launch_context, process, condition, timeout):
    """Return whether a condition holds in time; it is looked at when something has happened."""
    happened = threading.Event()

    def notice(event, context=None):
        happened.set()
    handlers = [OnProcessStart(target_action=process, on_start=notice),
                OnProcessIO(target_action=process, on_stdout=notice, on_stderr=notice),
                OnProcessExit(target_action=process, on_exit=notice)]
    for handler in handlers:
        launch_context.register_event_handler(handler)
    end = None if timeout is None else time.monotonic() + timeout
    try:
        while not condition():
            rest = None if end is None else end - time.monotonic()
            if rest is not None and rest <= 0:
                return False
            happened.wait(rest)
            happened.clear()
        return True
    finally:
        for handler in handlers:
            launch_context.unregister_event_handler(handler)


def validated(get_output, validate):
    """Return a condition: the output passes a function which returns False or asserts."""
    def condition():
        try:
            return validate(get_output()) is not False
        except AssertionError:
            return False
    return condition


def text_of(process, stream):
    return getattr(process, f'get_{stream}')()


def wait_for_output_sync(launch_context, process_under_test, validate_output, timeout=None):
    """Return whether stdout or stderr pass the function in time."""
    conditions = [validated(lambda: text_of(process_under_test, 'stdout'), validate_output),
                  validated(lambda: text_of(process_under_test, 'stderr'), validate_output)]
    return wait_for(launch_context, process_under_test,
                    lambda: any(condition() for condition in conditions), timeout)


def assert_output_sync(launch_context, process_under_test, validate_output, timeout=None):
    """Like wait_for_output_sync(), but failing with what the function has to say."""
    if not wait_for_output_sync(launch_context, process_under_test, validate_output, timeout):
        fail_with(validate_output, text_of(process_under_test, 'stdout'))


def fail_with(validate_output, text):
    """Fail with the function's own AssertionError, or with the text."""
    assert validate_output(text) is not False, f'not the expected output: {text!r}'


def wait_for_start_sync(launch_context, process_under_test, timeout=None):
    """Return whether the process is started in time."""
    return wait_for(launch_context, process_under_test,
                    lambda: 'pid' in (process_under_test.process_details or ()), timeout)


def wait_for_exit_sync(launch_context, process_under_test, timeout=None):
    """Return whether the process ends in time."""
    return wait_for(launch_context, process_under_test,
                    lambda: process_under_test.return_code is not None, timeout)


def in_thread(function):
    """Return the coroutine function of a function that waits."""
    async def waiting(*args, **kwargs):
        return await asyncio.to_thread(function, *args, **kwargs)
    waiting.__name__ = function.__name__.removesuffix('_sync')
    waiting.__doc__ = function.__doc__
    return waiting


wait_for_output = in_thread(wait_for_output_sync)
assert_output = in_thread(assert_output_sync)
wait_for_start = in_thread(wait_for_start_sync)
wait_for_exit = in_thread(wait_for_exit_sync)
