"""Mark the function that describes the system under test."""


def keep_alive(test_description_function):
    """Let the system live on when all of its processes have ended."""
    test_description_function.__markers__ = {
        **getattr(test_description_function, '__markers__', {}), 'keep_alive': True}
    return test_description_function


def retry_on_failure(*, times):
    """Return a decorator that lets a failing test run be repeated; `times` runs at most."""
    if not isinstance(times, int) or times < 1:
        raise ValueError(f'times must be a positive integer, got {times!r}')

    def decorator(test_description_function):
        test_description_function.__markers__ = {
            **getattr(test_description_function, '__markers__', {}),
            'retry_on_failure': {'times': times}}
        return test_description_function
    return decorator
