"""All kinds of forces, by name and by number."""

from enum import IntEnum
from typing import Any

from mb_model.forces import kinds
from mb_model.forces.element import ElementKind
from mb_model.jit import Rare
from mb_model.registry.kind_modules import gathered, kind_modules, numbered

_modules = kind_modules(kinds.__name__)
# Those with kernels, for source_stamp.
SOURCES = tuple(module.__name__ for module in _modules if hasattr(module, 'ELEMENT'))

ELEMENTS = gathered(_modules, 'ELEMENT')                     # name -> ElementKind
FORCES = dict(sorted(gathered(_modules, 'FORCE').items()))   # name -> ForceKind, of files

# The number of a kind is its index in ELEMENTS.
ForceElement = numbered('ForceElement', ELEMENTS, __name__)
_by_number = tuple(ELEMENTS.values())

# Kernels that call the kernels of all rare kinds.
RARE = Rare()


def number_of(name: str) -> IntEnum:
    """Return the ForceElement of a kind of elements by name."""
    return ForceElement[name.upper()]


def element_kind(number: int) -> ElementKind:
    """Return the ElementKind of a number."""
    return _by_number[number]


def kernels(function: str, rare: bool) -> list[Any]:
    """Return the kernels of the rare or of the other kinds by their name in ElementKind.

    In the order of numbers; in place of the others stands the first one.
    """
    first = next(kind for kind in _by_number if kind.is_rare == rare)
    return [getattr(kind if kind.is_rare == rare else first, function) for kind in _by_number]
