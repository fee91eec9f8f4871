"""Points in the file of a mechanism in space as parameters: which numbers of its model follow.

Where bodies have `variable_places`, the weights of nodes are linear in offsets, and what shapes
give is of second degree in many.  So these numbers are known from models of changed files, in
which all offsets change at once, each by steps of its own: two models show which offset a number
follows, and how, two others check it.  Offsets that a number follows together, such as x and z of
a point in an inertia, change axis by axis, or alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from math import floor, log2
import re
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
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
_UNCHECKED = 1e3 * _ROUNDED
_MODELS = 4                          # of changed files
_FEWEST, _MOST = 16, 64              # 1/32 of an offset's step, by which one of them changes it

# What an offset does: (effect, first, second index) -> (number, its change).
Following = dict[tuple[Any, ...], tuple[float, Callable[[Term], Term]]]


class Offsets:
    """The offsets of a mechanism: numbers of its file that say where points are."""

    def __init__(self, mechanism: Any) -> None:
        self._mechanism = mechanism
        self._following: dict[tuple[str, ...], Following] = {}
        self._models: dict[tuple[Any, ...], Any] = {}

    @cached_property
    def _raw(self) -> dict[str, Any]:
        return whole_mapping(self._mechanism.raw, self._mechanism.file)

    def number_at(self, path: tuple[str, ...]) -> float | None:
        """Return the number of an offset that the file has at a path, None if it has none there."""
        if self._mechanism.dimension == 2 or not {*_OFFSETS} & {*path[:-1]}:
            return None
        entry: Any = self._raw
        try:
            for key in path[:-1]:
                entry = entry[_key(entry, key)]
            if isinstance(entry, (list, tuple)) and len(entry) == 3:
                return as_number(entry[_key(entry, path[-1])], self._mechanism.parameters)
        except (LookupError, TypeError, ValueError):
            pass        # nothing is there, or a text
        return None

    def follow(self, paths: Iterable[tuple[str, ...]]) -> None:
        """Find out what following says of paths, of many faster than of one after the other.

        Raises MechanismError for an offset that changes the nodes, or what follows no parameter.
        """
        new = [path for path in dict.fromkeys(paths)
               if path not in self._following and self.number_at(path) is not None]
        if len(new) > 1 and self._follow_at_once(new):
            return
        for axis in range(3):
            some = [path for path in new if _key([], path[-1]) == axis]
            if len(some) < 2 or not self._follow_at_once(some):
                for path in some:
                    self._follow_at_once([path], alone=True)

    def following(self, path: tuple[str, ...]) -> Following:
        """Return {(effect, first, second index): (number, its change)} of the offset at a path.

        The change is a function of a Term, the value of the offset.  {} for what is no number of
        an offset, or does not matter.  Raises MechanismError as follow does.
        """
        self.follow([path])
        return self._following.get(path, {})

    def _follow_at_once(self, paths: Sequence[tuple[str, ...]], alone: bool = False) -> bool:
        """Note what follows offsets that change together; return whether that is certain.

        alone: of one offset.  Raises MechanismError then where it fails.
        """
        values = [self.number_at(path) for path in paths]
        steps = _steps(self._mechanism, values)
        try:
            models = [self._model(paths, values + step) for step in steps]
        except MechanismError:
            if alone:
                raise
            return False
        names = ', '.join('.'.join(path) for path in paths)
        if not all(self._has_same_nodes(model) for model in models):
            if alone:
                raise MechanismError(
                    f'{self._mechanism.file}: {names}: moves points that bodies share, or welded '
                    'bodies; bodies with such points, also points that joints bring there, need '
                    'variable_places: true')
            return False
        every: list[Following] = [{} for _ in paths]
        for field, effect in _FOLLOWING.items():
            here = self._mechanism.model[0][field]
            changes = np.array([model[field] - here for model in models])
            for slot in zip(*np.nonzero(np.abs(changes).max(axis=0) > _rounded(here)), strict=True):
                cause = _cause(changes[:, *slot], steps, _UNCHECKED * max(abs(here[slot]), 1.0))
                if cause is None and alone:
                    raise MechanismError(
                        f'{self._mechanism.file}: {names}: directions, and mass properties of '
                        'shapes that change their direction or their share of the mass, do not '
                        'follow parameters')
                if cause is None:
                    return False
                which, first, second = cause
                index = tuple(int(k) for k in slot)
                every[which][effect, index[0], index[1] if len(index) > 1 else 0] = (
                    float(here[slot]), _change(values[which], first, second))
        self._following |= dict(zip(paths, every, strict=True))
        return True

    def require_whole(self, names: Sequence[str], records: RecordArray) -> None:
        """Raise MechanismError unless models with other values are the changed file's.

        names (k): of parameters; records (k): PARAMETER ones.
        """
        named = np.array([name in self._mechanism.parameters for name in names], bool)
        for some in (np.flatnonzero(named), np.flatnonzero(~named)):
            if some.size > 1 and self._is_whole([names[k] for k in some], records[some]):
                continue
            for k in some:
                if not self._is_whole([names[k]], records[k:k + 1]):
                    raise MechanismError(
                        f'{self._mechanism.file}: {names[k]}: is in several numbers of shapes '
                        'whose products do not follow a parameter, or in one that cannot be one')

    def _is_whole(self, names: Sequence[str], records: RecordArray) -> bool:
        """Return whether the model with other values of parameters is the changed file's."""
        named, values = names[0] in self._mechanism.parameters, records['value'].copy()
        changed = values + _steps(self._mechanism, values)[0]
        paths = [('parameters', name) if named else path_of(name) for name in names]
        try:
            expected = self._model(paths, changed, self._mechanism.raw if named else self._raw)
        except MechanismError:
            if len(names) == 1:
                raise
            return False
        model = self._mechanism.model.copy()
        for record, value, before in zip(records, changed, values, strict=True):
            set_parameter(model[0], record, value)
            record['value'] = before
        return all(_same(model[0], expected, field) for field in model.dtype.names
                   if field not in _CHOICES)

    def _model(self, paths: Sequence[tuple[str, ...]], values: Sequence[float] | FloatArray,
               raw: dict[str, Any] | None = None) -> Any:
        """Return the model of the file with other numbers at paths."""
        mechanism, key = self._mechanism, (*paths, *values)
        if key not in self._models:
            raw = self._raw if raw is None else raw
            for path, value in zip(paths, values, strict=True):
                raw = _replaced(raw, path, float(value))
            described = replace(read_description(raw, mechanism.file),
                                independent=mechanism.independent)
            self._models[key] = compile_model(
                described, mechanism.storage, mechanism.freedom.redundant)[0][0]
        return self._models[key]

    def _has_same_nodes(self, model: Any) -> bool:
        """Return whether another model has these nodes, and their weights in bodies."""
        here = self._mechanism.model[0]
        return all(here[field].shape == model[field].shape
                   if field in (*_FOLLOWING, *_CHOICES, 'solid_inertia')
                   else _same(here, model, field) for field in self._mechanism.model.dtype.names)


def path_of(name: str) -> tuple[str, ...]:
    """Return the keys of a path such as 'gravity.y' or 'gravity[1]'."""
    return tuple(re.sub(r'\[(\d+)\]', r'.\1', name).split('.'))


def _rounded(number: FloatArray) -> FloatArray:
    """Return what rounding may change numbers of a model by."""
    return _ROUNDED * np.maximum(np.abs(number), 1.0)


def _cause(changes: FloatArray, steps: FloatArray, error: float
           ) -> tuple[int, float, float] | None:
    """Return (which offset, first, second): changes (k) = first step + second step^2 of it.

    steps (k, offsets): of all of them.  None where none of them, or several, explain the changes
    but for an error.
    """
    (a, b), (y, z) = steps[:2], changes[:2]
    second = (z / b - y / a) / (b - a)
    first = y / a - second * a
    size = np.abs(steps).max(axis=0)
    second = np.where(np.abs(second) * size * size < 0.1 * error, 0.0, second)
    errors = np.abs(first * steps + second * steps * steps - changes[:, None]).max(axis=0)
    explained = errors <= error
    if np.count_nonzero(explained) != 1:
        return None
    which = int(np.argmax(explained))
    return which, float(first[which]), float(second[which])


def _change(value: float, first: float, second: float) -> Callable[[Term], Term]:
    """Return the function that gives the change of a number for the Term of an offset."""
    def change(term: Term) -> Term:
        moved = term - value
        linear = first * moved
        return linear + second * (moved * moved) if second else linear
    return change


def _steps(mechanism: Any, values: Sequence[float] | FloatArray) -> FloatArray:
    """Return how numbers are changed in each model (models, numbers) [m].

    By multiples of a power of 2: sums are exact.
    """
    size, random = size_of(mechanism.described), np.random.default_rng(0)
    units = [2.0 ** (floor(log2(min(size, 4.0 * abs(value) or size))) - 11) for value in values]
    shares = random.permuted(np.tile(np.arange(_FEWEST, _MOST), (len(units), 1)), axis=1)
    return np.array(units) * (shares[:, :_MODELS] * [1, -1, 1, -1]).T


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


def _same(one: Any, other: Any, field: str) -> bool:
    return one[field].shape == other[field].shape and np.allclose(
        one[field], other[field], rtol=1e-9, atol=1e-9)
