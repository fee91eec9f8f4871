"""States as trees of dataclasses, arrays and plain values, copied and put back as a whole."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property, partial
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

import numpy as np

_Class = TypeVar('_Class', bound=type)
_classes: dict[str, type] = {}


@dataclass_transform()
def state_class(class_: _Class) -> _Class:
    """Make a class a dataclass with slots whose objects can be written to files.

    Its fields are states themselves, arrays, dicts, lists, sets, and values that never change:
    numbers, texts, tuples, None.
    """
    made: Any = dataclass(slots=True)(class_)
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


_PLAIN = {NoneType, bool, int, float, str, tuple, Ellipsis}     # these never change


class _Copiers(dict[type, Callable[[Any], Any]]):
    """Functions that copy states, by their type; made when one is asked for."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = made = _new_copier(kind)
        return made


copiers: dict[type, Callable[[Any], Any]] = _Copiers()


def words_of(array: np.ndarray) -> np.ndarray:
    """Return a view of an array, of the words of records, which copy a hundred times faster."""
    return array if array.dtype.names is None else array.view(np.uint64)


def _new_copier(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, np.ndarray):
        return _copied_array
    if is_dataclass(kind):
        return _dataclass_copier(kind)
    if kind is dict:
        return _copied_dict
    if issubclass(kind, dict):
        return partial(_copied_mapping, kind)
    if issubclass(kind, list):
        return lambda state: [copiers[type(item)](item) for item in state]
    if issubclass(kind, set):
        return kind.copy
    return lambda state: state


def _dataclass_copier(kind: type) -> Callable[[Any], Any]:
    """Return the copier of dataclasses of a type; with a __post_init__ field by field."""
    hints, names = get_type_hints(kind), [field.name for field in fields(kind)]
    copies = {name: _copy(f'state.{name}', hints[name]) for name in names}
    if hasattr(kind, '__post_init__'):
        lines = ['other = kind.__new__(kind)',
                 *(f'other.{name} = {copy}' for name, copy in copies.items()), 'return other']
    else:
        lines = [f'return kind({", ".join(copies.values())})']
    made: dict[str, Any] = {'kind': kind, 'copiers': copiers, 'array': _copied_array}
    exec('\n    '.join(['def copy(state):', *lines]), made)
    return made['copy']


def _copy(value: str, hint: Any) -> str:
    """Return the expression of a copy of the expression of a value, of which a hint is known."""
    if _is_plain(hint):
        return value
    if hint is np.ndarray:
        return f'array({value})'
    if get_origin(hint) in (dict, list, set) and all(map(_is_plain, get_args(hint))):
        return f'{value}.copy()'
    return f'copiers[type({value})]({value})'


def _is_plain(hint: Any) -> bool:
    """Return whether values of a hint never change."""
    if get_origin(hint) in (Union, UnionType):
        return all(map(_is_plain, get_args(hint)))
    return hint in _PLAIN or get_origin(hint) is tuple


def _copied_array(state: np.ndarray) -> np.ndarray:
    return state.copy() if state.dtype.names is None else state.view(np.uint64).copy()


def _copied_dict(state: dict[Any, Any]) -> dict[Any, Any]:
    array = np.ndarray
    return {key: item.copy() if type(item) is array and item.dtype.names is None
            else copiers[type(item)](item) for key, item in state.items()}


def _copied_mapping(kind: Any, state: Any) -> Any:
    other = kind.__new__(kind)
    dict.update(other, _copied_dict(state))
    return other


def copied(state: Any) -> Any:
    """Return a copy of a state that shares nothing with it that may change.

    Arrays of records become arrays of their words (uint64): numpy copies records field by field,
    which takes ten times as long.
    """
    return copiers[type(state)](state)


def restore(state: Any, saved: Any) -> None:
    """Restore a state from a copy of it; `saved` stays as it is.

    Arrays, dataclasses and dicts with the same keys are written in place, since others hold views
    of them; everything else is replaced.  Raises TypeError for a copy of another kind of state.
    """
    if _restored(state, saved) is not state:
        raise TypeError(f'a state of {type(state).__name__} cannot be restored from one of '
                        f'{type(saved).__name__}')


def layout(state: Any) -> Any:
    """Return the structure that a copy must have to restore a state, as lists and texts."""
    if isinstance(state, np.ndarray):
        words = words_of(state)
        return [words.dtype.str, list(words.shape)]
    if isinstance(state, dict):
        return [[str(key), layout(item)] for key, item in state.items()]
    if is_dataclass(state):
        return [type(state).__qualname__,
                *([name, layout(getattr(state, name))] for name in _names(type(state)))]
    if isinstance(state, (list, tuple)):
        return [layout(item) for item in state]
    return ''


def _restored(state: Any, saved: Any) -> Any:
    """Return the restored state: itself if it could be written in place."""
    if isinstance(state, np.ndarray):
        words = words_of(state)
        if isinstance(saved, np.ndarray):
            if words.shape != saved.shape or words.dtype.itemsize != saved.dtype.itemsize:
                raise TypeError(f'an array {saved.shape} cannot be put back into {words.shape}')
            words[...] = saved
            return state
    elif is_dataclass(state) and type(saved) is type(state):
        for name in _names(type(state)):
            held = getattr(state, name)
            restored = _restored(held, getattr(saved, name))
            if restored is not held:
                setattr(state, name, restored)
        return state
    elif type(state) is dict and type(saved) is dict and list(state) == list(saved):
        for key, held in state.items():
            state[key] = _restored(held, saved[key])
        return state
    return copied(saved)


def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_names: Callable[[Any], tuple[str, ...]] = cache(_field_names)


def without_views(self: Any) -> dict[str, Any]:
    """Return the attributes of an object but its cached properties, as its __getstate__.

    A copy makes its own: copied views would not share memory with the copied records.
    """
    return {name: value for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)}
