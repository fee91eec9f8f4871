"""Points in the file of a mechanism in space as parameters: which numbers of its model follow.

Where bodies have `variable_places`, the weights of nodes are linear in offsets, and what shapes
give is of second degree in many.  So these numbers are known from models of changed files, and
checked on another one.
"""

from collections.abc import Callable
from dataclasses import replace
from math import floor, log2
import re
from typing import Any

import numpy as np

from mb_model.compilation.compilation import compile_model
from mb_model.compilation.spatial.layout import size_of
from mb_model.kernels.parameters import Effect, set_parameter
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.entries import as_number
from mb_model.mechanism_file.programs import Term
from mb_model.mechanism_file.reading import read_description, whole_mapping

_FOLLOWING = {'term_weight': Effect.TERM, 'solid_centre': Effect.SOLID_CENTRE,
              'solid_gyration': Effect.SOLID_GYRATION, 'element_value': Effect.ELEMENT}
_CHOICES = 'scale', 'stiffness'      # numerical ones, not the mechanism
_OFFSETS = 'at', 'points', 'ground', 'shapes'
_AXES = {'x': 0, 'y': 1, 'z': 2}
_ROUNDED = 1e-12


def number_at(mechanism: Any, path: tuple[str, ...]) -> float | None:
    """Return the number of an offset that a file has at a path, None if it has none there."""
    if not {*_OFFSETS} & {*path[:-1]}:
        return None
    entry = whole_mapping(mechanism.raw, mechanism.file)
    try:
        for key in path[:-1]:
            entry = entry[_key(entry, key)]
        if isinstance(entry, (list, tuple)) and len(entry) == 3:
            return as_number(entry[_key(entry, path[-1])], mechanism.parameters)
    except (LookupError, TypeError, ValueError):
        pass        # nothing is there, or a text
    return None


def moved_numbers(mechanism: Any, path: tuple[str, ...]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return {(effect, first, second index): (number, its change)} of a number of an offset.

    The change is a function of a Term, the value of the offset.  {} for what is no number of an
    offset, or does not matter.  Raises MechanismError for one that changes the nodes.
    """
    value = number_at(mechanism, path)
    if value is None:
        return {}
    raw, step = whole_mapping(mechanism.raw, mechanism.file), _step(mechanism, value)
    before, here, after, beyond = (
        _model(mechanism, _replaced(raw, path, value + k * step)) for k in (-1, 0, 1, 2))
    _require_same_nodes(mechanism, '.'.join(path), after)
    numbers = {}
    for field, effect in _FOLLOWING.items():
        first = (after[field] - before[field]) / (2.0 * step)
        second = (after[field] - 2.0 * here[field] + before[field]) / (2.0 * step * step)
        size = _ROUNDED * np.maximum(np.abs(here[field]), 1.0)
        first[np.abs(first) * step < size] = second[np.abs(second) * step * step < size] = 0.0
        expected = here[field] + 2.0 * step * first + 4.0 * step * step * second
        if (np.abs(expected - beyond[field]) > 1e3 * size).any():
            raise MechanismError(
                f'{mechanism.file}: {".".join(path)}: directions, and mass properties of shapes '
                'that change their direction or their share of the mass, do not follow parameters')
        for slot in zip(*np.nonzero((first != 0.0) | (second != 0.0)), strict=True):
            index = tuple(int(k) for k in slot)
            numbers[effect, index[0], index[1] if len(index) > 1 else 0] = (
                float(here[field][slot]),
                _change(value, float(first[slot]), float(second[slot])))
    return numbers


def require_whole(mechanism: Any, name: str, record: Any) -> None:
    """Raise MechanismError unless a model with another value is the changed file's."""
    value, path = float(record['value']), path_of(name)
    changed, raw = value + _step(mechanism, value), whole_mapping(mechanism.raw, mechanism.file)
    if name in mechanism.parameters:
        path, raw = ('parameters', name), mechanism.raw
    expected, model = _model(mechanism, _replaced(raw, path, changed)), mechanism.model.copy()
    set_parameter(model[0], record, changed)
    record['value'] = value
    if not all(_same(model[0], expected, field) for field in model.dtype.names
               if field not in _CHOICES):
        raise MechanismError(f'{mechanism.file}: {name}: is in several numbers of shapes whose '
                             'products do not follow a parameter, or in one that cannot be one')


def path_of(name: str) -> tuple[str, ...]:
    """Return the keys of a path such as 'gravity.y' or 'gravity[1]'."""
    return tuple(re.sub(r'\[(\d+)\]', r'.\1', name).split('.'))


def _change(value: float, first: float, second: float) -> Callable[[Term], Term]:
    """Return the function that gives the change of a number for the Term of an offset."""
    def change(term: Term) -> Term:
        moved = term - value
        linear = first * moved
        return linear + second * (moved * moved) if second else linear
    return change


def _step(mechanism: Any, value: float) -> float:
    """Return by how much a number is changed [m], a power of 2: sums are exact."""
    size = size_of(mechanism.described)
    return 2.0 ** (floor(log2(min(size, 4.0 * abs(value) or size))) - 6)


def _key(entry: Any, key: str) -> str | int:
    """Return what a key of a path is in a mapping or list."""
    if isinstance(entry, dict):
        return key
    return _AXES[key] if key in _AXES else int(key)


def _replaced(entry: Any, path: tuple[str, ...], value: float) -> Any:
    """Return a mapping or list with another number at a path."""
    if not path:
        return value
    key = _key(entry, path[0])
    items = entry.items() if isinstance(entry, dict) else enumerate(entry)
    changed = {k: _replaced(one, path[1:], value) if k == key else one for k, one in items}
    return changed if isinstance(entry, dict) else list(changed.values())


def _model(mechanism: Any, raw: dict[str, Any]) -> Any:
    """Return the model of a changed file."""
    described = replace(read_description(raw, mechanism.file), independent=mechanism.independent)
    return compile_model(described, mechanism.storage, mechanism.freedom.redundant)[0][0]


def _require_same_nodes(mechanism: Any, name: str, model: Any) -> None:
    """Raise MechanismError if another model has other nodes, or their weights in bodies differ."""
    here = mechanism.model[0]
    for field in mechanism.model.dtype.names:
        follows = field in (*_FOLLOWING, *_CHOICES, 'solid_inertia')
        if not (here[field].shape == model[field].shape if follows else _same(here, model, field)):
            raise MechanismError(
                f'{mechanism.file}: {name}: moves points that bodies share, or welded bodies; '
                'bodies with such points, also points that joints bring there, need '
                'variable_places: true')


def _same(one: Any, other: Any, field: str) -> bool:
    return one[field].shape == other[field].shape and np.allclose(
        one[field], other[field], rtol=1e-9, atol=1e-9)
