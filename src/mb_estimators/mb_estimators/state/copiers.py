"""Functions that copy states of each type.

States are copied at each instant of the history, so a dataclass gets a function of its own, as
`dataclasses` makes its methods: one call with the copy of each field by its annotation.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

_PLAIN = {NoneType, bool, int, float, str, tuple, Ellipsis}     # these never change


class _Copiers(dict):
    """Functions that copy states, by their type; made when one is asked for."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = made = _new_copier(kind)
        return made


copiers: dict[type, Callable[[Any], Any]] = _Copiers()


def words_of(array: np.ndarray) -> np.ndarray:
    """Return a view of an array, of the words of records."""
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
    made = {'kind': kind, 'copiers': copiers, 'array': _copied_array}
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


def _copied_dict(state: dict) -> dict:
    array = np.ndarray
    return {key: item.copy() if type(item) is array and item.dtype.names is None
            else copiers[type(item)](item) for key, item in state.items()}


def _copied_mapping(kind: type, state: Any) -> Any:
    other = kind.__new__(kind)
    dict.update(other, _copied_dict(state))
    return other
