"""Classes found by name, also those of other packages: entry points of a group."""

from importlib.metadata import entry_points
from typing import Any


def plugin_names(group: str) -> list[str]:
    """Return the names of all installed plugins of a group, sorted."""
    return sorted({entry.name for entry in entry_points(group=group)})


def plugin_class(group: str, name: str, what: str, error: type[Exception]) -> type[Any]:
    """Return the class of a plugin.

    what: the plugins of the group are called, for people.  Raises `error`, an exception class, for
    an unknown or broken plugin.
    """
    found = list(entry_points(group=group, name=name))
    if not found:
        raise error(f'{name}: unknown {what}, expected one of {", ".join(plugin_names(group))}')
    try:
        return found[0].load()
    except (ImportError, AttributeError) as problem:
        raise error(f'{name}: plugin {found[0].value} cannot be loaded: {problem}') from problem
