"""Several test runs from one description."""
import functools


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
