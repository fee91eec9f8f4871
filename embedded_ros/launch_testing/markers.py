"""Mark descriptions of systems under test, and tests."""
import functools
import inspect


def keep_alive(test_description):
    """Let the system live on when all of its processes have ended."""
    test_description.__markers__ = {
        **getattr(test_description, '__markers__', {}), 'keep_alive': True}
    return test_description


def retry_on_failure(*, times):
    """Return a decorator for test methods: up to `times` runs until no assertion fails."""
    assert times > 0, f'times must be positive, got {times}'

    def decorator(method):
        assert next(iter(inspect.signature(method).parameters), None) == 'self', (
            'retry_on_failure is for methods of test cases')

        @functools.wraps(method)
        def tried(self, *args, **kwargs):
            for _ in range(times - 1):
                try:
                    return method(self, *args, **kwargs)
                except AssertionError:
                    continue
            return method(self, *args, **kwargs)
        return tried
    return decorator
