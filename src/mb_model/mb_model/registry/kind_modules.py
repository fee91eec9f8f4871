"""The files of kinds: each module of a package is one, and so are those that other packages name.

A package of its own adds a kind by an entry point, `gear = my_package.gear`, in the group that is
called after the package here, such as `mb_model.constraints.kinds`.
"""

from enum import IntEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules


def kind_modules(package):
    """Return the modules of a package by name, then those of the entry points of its group."""
    own = sorted(f'{package}.{found.name}' for found in iter_modules(
        import_module(package).__path__))
    others = sorted({entry.value for entry in _installed().select(group=package)})
    return [import_module(name) for name in (*own, *others)]


@cache
def _installed():
    """Return the entry points of all installed packages; to find them takes 10 ms."""
    return entry_points()


def numbered(name, kinds, module):
    """Return the IntEnum, of a name and a module, of kinds by name: each one's place among them."""
    return IntEnum(name, [(kind.upper(), number) for number, kind in enumerate(kinds)],
                   module=module)


def gathered(modules, attribute):
    """Return name -> what modules offer by the name of an attribute, in the order of modules.

    Raises ValueError for a name that is there twice.
    """
    found = {}
    for module in modules:
        kind = getattr(module, attribute, None)
        if kind is None:
            continue
        if kind.name in found:
            raise ValueError(f'{module.__name__}: {kind.name} is the name of another kind already')
        found[kind.name] = kind
    return found
