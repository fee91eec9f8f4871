"""The files of kinds: each module of a package is one, and so are modules that other packages name.

A family of small kinds has one module instead of a package.  A package of its own adds a kind by an
entry point, `gear = my_package.gear`, in the group that is called after the package or module here,
such as `mb_model.constraints.kinds`.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def kind_modules(package: str) -> list[ModuleType]:
    """Return the modules of a package by name, then of the entry points of its group."""
    own = sorted(f'{package}.{module.name}' for module in iter_modules(
        import_module(package).__path__))
    return [*map(import_module, own), *plugin_modules(package)]


def plugin_modules(group: str) -> list[ModuleType]:
    """Return the modules of the entry points of a group."""
    return [import_module(name)
            for name in sorted({entry.value for entry in _installed().select(group=group)})]


@cache
def _installed() -> Any:
    """Return the EntryPoints of all installed packages; to find them takes 10 ms."""
    return entry_points()


def numbered(name: str, kinds: Iterable[str], module: str) -> Any:
    """Return the IntEnum, of a name and a module, of kinds by name: each one's index among them."""
    return IntEnum(name, [(kind.upper(), number) for number, kind in enumerate(kinds)],
                   module=module)


def gathered(modules: Iterable[ModuleType], attribute: str, *own: Any) -> dict[str, Any]:
    """Return name -> own kinds, then what modules offer, in their order.

    A module offers one kind by the name of an attribute, such as SHAPE, or several as SHAPES.
    Raises ValueError for a name that is there twice.
    """
    offered = [(module, kind) for module in modules for kind in (
        *getattr(module, f'{attribute}S', ()), getattr(module, attribute, None)) if kind]
    kinds = {kind.name: kind for kind in own}
    for module, kind in offered:
        if kind.name in kinds:
            raise ValueError(f'{module.__name__}: {kind.name} is the name of another kind already')
        kinds[kind.name] = kind
    return kinds


def plugin_names(group: str) -> list[str]:
    """Return the names of all installed plugins of a group, sorted."""
    return sorted({entry.name for entry in entry_points(group=group)})


def plugin_class(group: str, name: str, what: str, error: type[Exception]) -> type[Any]:
    """Return the class of a plugin.

    what: the plugins of the group are called, for people.  Raises `error`, an exception class, for
    an unknown or broken plugin.
    """
    entries = list(entry_points(group=group, name=name))
    if not entries:
        raise error(f'{name}: unknown {what}, expected one of {", ".join(plugin_names(group))}')
    try:
        return entries[0].load()
    except (ImportError, AttributeError) as problem:
        raise error(f'{name}: plugin {entries[0].value} cannot be loaded: {problem}') from problem
