"""Classes whose objects are states, apart from settings."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_Class = TypeVar('_Class', bound=type)
_classes: dict[str, type] = {}


@dataclass_transform()
def state_class(class_: _Class) -> _Class:
    """Make a class a dataclass with slots whose objects can be written to files.

    Its fields are states themselves, arrays, dicts, lists, sets, and values that never change:
    numbers, texts, tuples, None.
    """
    made = dataclass(slots=True)(class_)
    _classes[_name(made)] = made
    return made


def name_of(class_: type) -> str | None:
    """Return the name of a class of states in files, None if it is none."""
    name = _name(class_)
    return name if _classes.get(name) is class_ else None


def named(name: str) -> type:
    """Return the class of states of a name.  Raises KeyError if there is none."""
    return _classes[name]


def _name(class_: type) -> str:
    return f'{class_.__module__}.{class_.__qualname__}'
