"""Several test runs from one description."""
import functools


def parametrize(argnames, argvalues):
    """Return a decorator that lets the description be launched once for each value.

    argnames: 'a', 'a,b' or a list of names; argvalues: a value, or a tuple for several names.
    """
    names = argnames if isinstance(argnames, (list, tuple)) else [
        name.strip() for name in argnames.split(',') if name.strip()]

    def decorator(function):
        inner = getattr(function, '__parametrized__', None)

        def runs():
            for values in argvalues:
                values = tuple(values) if len(names) > 1 else (values,)
                if len(values) != len(names):
                    raise ValueError(f'{values} does not fit the names {names}')
                mine = dict(zip(names, values, strict=True))
                for made, others in inner() if inner else [(function, {})]:
                    bound = functools.update_wrapper(functools.partial(made, **mine), made)
                    yield bound, {**others, **mine}

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        wrapper.__parametrized__ = runs
        return wrapper
    return decorator
