"""Copies of whole states, and restoration of states from copies.

A state is a dataclass, a numpy array, a dict, list or set of states, or a value that never changes.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from mb_estimators.state.copiers import copiers, words_of


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
            found = _restored(held, getattr(saved, name))
            if found is not held:
                setattr(state, name, found)
        return state
    elif type(state) is dict and type(saved) is dict and list(state) == list(saved):
        for key, held in state.items():
            state[key] = _restored(held, saved[key])
        return state
    return copied(saved)


def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_names: Callable[[Any], tuple[str, ...]] = cache(_field_names)
