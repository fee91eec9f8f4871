"""Register actions and substitutions under the names they have in launch files."""
from collections.abc import Callable
import inspect

action_parse_methods: dict[str, Callable] = {}
substitution_parse_methods: dict[str, Callable] = {}


def instantiate_extension(name: str, args, registry: dict[str, Callable], what: str):
    """Return what the parse method registered under this name makes of the arguments."""
    if name not in registry:
        raise RuntimeError(f'Unrecognized {what} of the type: {name}')
    made_by, kwargs = registry[name](*args)
    return made_by(**kwargs)


def instantiate_action(entity, parser):
    """Return the action an element describes."""
    return instantiate_extension(
        entity.type_name, (entity, parser), action_parse_methods, 'entity')


def instantiate_substitution(name: str, args):
    """Return the substitution $(name args...)."""
    return instantiate_extension(name, (args,), substitution_parse_methods, 'substitution')


def __expose_impl(name: str, registry: dict[str, Callable], what: str) -> Callable:
    """Return a decorator which registers a class's parse(), or a function, under this name."""
    def decorator(exposed):
        method = exposed
        if inspect.isclass(exposed):
            if 'parse' not in dir(exposed):
                raise RuntimeError(
                    f"Did not find a class method 'parse' for exposed {what} '{exposed.__name__}'")
            method = exposed.parse
        elif not callable(exposed):
            raise RuntimeError(f'Exposed {what} parser for {name} is not a callable or a class '
                               'containing a parse method')
        known = registry.setdefault(name, method)
        if known != method and not same_place(known, method):
            raise RuntimeError(f"Two {what} parsing methods exposed with the same name '{name}'")
        return exposed
    return decorator


def same_place(one: Callable, other: Callable) -> bool:
    """Return whether both are one definition, loaded twice."""
    return (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)


def expose_action(name: str) -> Callable:
    """Make an action class, or a function (entity, parser), known to launch files."""
    return __expose_impl(name, action_parse_methods, 'action')


def expose_substitution(name: str) -> Callable:
    """Make a substitution class, or a function (data), known to launch files."""
    return __expose_impl(name, substitution_parse_methods, 'substitution')
