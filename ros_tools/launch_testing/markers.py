"""Mark descriptions of systems under test, and tests."""
import functools


def keep_alive(test_description):
    """Let the system live on when all of its processes have ended."""
    test_description.__markers__ = {
        **getattr(test_description, '__markers__', {}), 'keep_alive': True}
    return test_description


def post_shutdown_test():
    """Return a decorator for the test classes that run after the processes have ended."""
    def decorator(test_class):
        test_class.__post_shutdown_test__ = True
        return test_class
    return decorator


def parametrize(argnames, argvalues):
    """Return a decorator that lets the description be launched once for each value.

    argnames: one text, 'a' or 'a, b'; argvalues: a value, or a tuple of them for several names.
    Calling the decorated function yields pairs (function with bound arguments, the arguments).
    """
    if not isinstance(argnames, str):
        raise TypeError("launch_testing.parametrize takes the names as one text, 'a, b', "
                        f'got {argnames!r}')
    names = [name.strip() for name in argnames.split(',') if name.strip()]
    rows = [values if isinstance(values, tuple) else (values,) for values in argvalues]

    def decorator(function):
        @functools.wraps(function)
        def runs():
            for row in rows:
                arguments = dict(zip(names, row, strict=False))
                bound = functools.update_wrapper(
                    functools.partial(function, **arguments), function)
                yield bound, arguments
        runs.__parametrized__ = True
        return runs
    return decorator
