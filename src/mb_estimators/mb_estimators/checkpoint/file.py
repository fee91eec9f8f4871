"""States, and values with arrays in them, in one .npz file of this user alone, without pickle.

Arrays, mostly zeros, are stored as the words that are not zero; everything else as JSON.
"""

from collections import Counter
from dataclasses import fields
import json

import numpy as np

from mb_estimators.state import copied
from mb_estimators.state.declared import name_of, named
from mb_model.file_api import open_private, replace_private

_TEXT = 'text'


def write_file(path, value):
    """Write a value of states, None, bool, int, float, str, list, tuple, dict, set and arrays.

    The file is there whole or not at all, whenever the process ends.  Raises OSError, TypeError.
    """
    arrays = {}
    text = json.dumps(_encoded(value, arrays))
    replace_private(path, lambda file: np.savez(file, **arrays, **{_TEXT: np.array(text)}))


def can_write(value):
    """Return whether a value can be written."""
    try:
        _encoded(copied(value), {})
    except TypeError:
        return False
    return True


def read_file(path):
    """Return the value of a file.  Raises OSError, ValueError."""
    try:
        with (open(open_private(path), 'rb') as file,
              np.load(file, allow_pickle=False) as arrays):
            return _decoded(json.loads(arrays[_TEXT].item()), arrays)
    except (ArithmeticError, AttributeError, EOFError, IndexError, KeyError, TypeError) as error:
        raise ValueError(f'not a file of this kind: {error}') from None
    except Exception as error:      # zipfile's own are no ValueError
        if isinstance(error, (OSError, ValueError)):
            raise
        raise ValueError(str(error)) from None


def _encoded(value, arrays):
    """Return a value for JSON, as {kind: content} for types unknown to JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray):
        words = np.ascontiguousarray(value).view(np.uint64).ravel()
        name, places = str(len(arrays) // 2), np.flatnonzero(words)
        arrays['places' + name], arrays['words' + name] = places, words[places]
        return {'array': [name, list(value.shape), value.dtype.str]}
    if isinstance(value, dict):
        items = [[_encoded(key, arrays), _encoded(item, arrays)] for key, item in value.items()]
        return {'counter' if isinstance(value, Counter) else 'dict': items}
    name = name_of(type(value))
    if name:
        return {'state': [name, {field.name: _encoded(getattr(value, field.name), arrays)
                                 for field in fields(value)}]}
    for kind in (tuple, list, set):
        if isinstance(value, kind):
            items = sorted(value) if kind is set else value
            return {kind.__name__: [_encoded(item, arrays) for item in items]}
    raise TypeError(f'{type(value).__name__} cannot be written')


def _decoded(text, arrays):
    """Return the value of `_encoded`."""
    if not isinstance(text, dict):
        return text
    (kind, content), = text.items()
    if kind == 'array':
        name, shape, dtype = content
        found = np.zeros(shape, dtype)
        found.reshape(-1).view(np.uint64)[arrays['places' + name]] = arrays['words' + name]
        return found
    if kind in ('dict', 'counter'):
        found = {_decoded(key, arrays): _decoded(item, arrays) for key, item in content}
        return Counter(found) if kind == 'counter' else found
    if kind == 'state':
        name, values = content
        return named(name)(**{key: _decoded(item, arrays) for key, item in values.items()})
    kinds = {'tuple': tuple, 'list': list, 'set': set}
    return kinds[kind](_decoded(item, arrays) for item in content)
