"""Register actions and substitutions under the names they have in launch files."""
from collections.abc import Callable

action_parse_methods: dict[str, Callable] = {}
substitution_parse_methods: dict[str, Callable] = {}


def instantiate_extension(name: str, args, registry: dict[str, Callable], what: str):
    """Return what the parse method registered under this name makes of the arguments."""
    if name not in registry:
        raise RuntimeError(f'Unrecognized {what} of the type: {name} (or not part of ros_tools)')
    made_by, kwargs = registry[name](*args)
    return made_by(**kwargs)


def instantiate_action(entity, parser):
    """Return the action an element describes."""
    return instantiate_extension(
        entity.type_name, (entity, parser), action_parse_methods, 'entity')


def instantiate_substitution(name: str, args):
    """Return the substitution $(name args...)."""
    return instantiate_extension(name, (args,), substitution_parse_methods, 'substitution')


def _exposed(name: str, registry: dict[str, Callable], what: str) -> Callable:
    """Return a decorator which registers a class's parse() under this name."""
    def decorator(exposed):
        known = registry.setdefault(name, exposed.parse)
        if known.__qualname__ != exposed.parse.__qualname__:
            raise RuntimeError(f"Two {what} parsing methods exposed with the same name '{name}'")
        return exposed
    return decorator


def expose_action(name: str) -> Callable:
    """Make an action class known to launch files."""
    return _exposed(name, action_parse_methods, 'action')


def expose_substitution(name: str) -> Callable:
    """Make a substitution class known to launch files."""
    return _exposed(name, substitution_parse_methods, 'substitution')
