"""Entries of a mechanism file that are there several times, by the key `repeat`, and complete ones.

Complete: their expressions are evaluated and their defaults filled in.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from math import nan
import re
from typing import Any

from mb_model.mechanism_file.entries import LEAST, Entries, as_number
from mb_model.mechanism_file.expressions import ExpressionError, evaluate
from mb_model.mechanism_file.overrides import merged
from mb_model.mechanism_file.schema import definition, definition_for, part_for
from mb_model.mechanism_file.schema.conformity import note_structure
from mb_model.settings import shown

_BOUNDS = {'exclusiveMinimum': ('>', lambda number, bound: number > bound),
           'minimum': ('>=', lambda number, bound: number >= bound),
           'maximum': ('<=', lambda number, bound: number <= bound)}


def completed(entries: Entries, path: str, value: Any, schema: dict[str, Any],
              parameters: dict[str, float]) -> Any:
    """Return a value, which has the structure of its schema, complete.

    Numbers become floats, expressions may use `parameters`.  entries: Entries, notes what has no
    value or is out of bounds, which becomes NaN; path: where the value is, for messages.
    """
    part = part_for(schema, value)
    if 'number' in part.get('type', ()):
        return _number(entries, path, value, part, parameters)
    if isinstance(value, dict) and ('properties' in part or 'additionalProperties' in part):
        return _mapping(entries, path, value, part, parameters)
    if isinstance(value, (list, tuple)) and 'items' in part:
        return tuple(completed(entries, f'{path}[{k}]', item, part['items'], parameters)
                     for k, item in enumerate(value))
    return deepcopy(value)


def _number(entries: Entries, path: str, value: Any, part: dict[str, Any],
            parameters: dict[str, float]) -> float:
    with entries.noted(path):
        number = entries.number(path, value, parameters)
        for keyword, (sign, good) in _BOUNDS.items():
            if keyword in part and not good(number, part[keyword]):
                entries.fail(path, f'{shown(value)} must be {sign} {part[keyword]}')
        if 'exclusiveMinimum' in part and number < LEAST:
            entries.fail(path, f'{shown(value)} must be >= {LEAST:g}')
        return number
    return nan


def _mapping(entries: Entries, path: str, value: dict[str, Any], part: dict[str, Any],
             parameters: dict[str, float]) -> dict[str, Any]:
    known, others = part.get('properties', {}), part.get('additionalProperties')
    complete = {key: completed(entries, f'{path}.{key}' if path else key, item,
                               known.get(key, others), parameters)
                for key, item in value.items()}
    for key, schema in known.items():
        if key not in value and 'default' in schema:
            complete[key] = completed(entries, key, schema['default'], schema, parameters)
    return complete


_BLANK = re.compile(r'<([^<>]*)>')
_INDEX = 'i'        # its name where the file gives none
_MOST = 20_000      # entries of a section: no mechanism has room for more


def expanded(entries: Entries, raw: dict[str, Any], parameters: dict[str, float]) -> dict[str, Any]:
    """Return the mapping of a mechanism file without `repeat`, its entries written out.

    Entries that are written out in the file are merged over them.  Raises MechanismError.
    """
    if 'repeat' not in raw:
        return raw
    entries.finish()
    note_structure(entries, 'repeat', raw['repeat'], definition_for(raw, 'repeat'))
    entries.finish()
    written = {}
    for name, repetition in raw['repeat'].items():
        _Writer(entries, f'repeat.{name}', repetition, parameters,
                definition(definition_for(raw, 'repetition'))).write(written)
    return merged(written, {key: value for key, value in raw.items() if key != 'repeat'})


def written_out(raw: dict[str, Any], path: tuple[str, ...],
                parameters: dict[str, float]) -> Iterator[tuple[tuple[str, ...], dict[str, int]]]:
    """Yield (path, index) of every entry that an entry of a valid file is, `repeat` written out.

    path: keys of the entry; index: name of the index and its number there, {} outside of `repeat`.
    What the file writes out itself, over a repetition, is left out.
    """
    if path[0] != 'repeat':
        yield path, {}
        return
    repetition, keys = raw['repeat'][path[1]], path[2:]
    name = repetition.get('index', _INDEX)
    for k in range(int(as_number(repetition['count'], parameters))):
        written = tuple(_filled(key, parameters | {name: k}) for key in keys)
        if not _replaced(raw, written):
            yield written, {name: k}


def _replaced(raw: Any, path: Iterable[str]) -> bool:
    """Return whether a file has an entry, or a whole list it would be in, outside of `repeat`."""
    for key in path:
        if not isinstance(raw, dict):
            return True
        if key not in raw:
            return False
        raw = raw[key]
    return True


def _filled(text: str, known: Mapping[str, float]) -> str:
    """Return text with its blanks <...> filled by whole numbers; raises ValueError."""
    def number(blank: re.Match[str]) -> str:
        try:
            value = evaluate(blank[1], known)
        except ExpressionError as error:
            raise ValueError(f'{blank[0]} in {text!r} {error}') from None
        if value != int(value):
            raise ValueError(f'{blank[0]} in {text!r} is {value}, it must be whole')
        return str(int(value))
    return _BLANK.sub(number, text)


class _Writer:
    """Writes the entries of one repetition."""

    def __init__(self, entries: Entries, path: str, repetition: dict[str, Any],
                 parameters: dict[str, float], definition: dict[str, Any]) -> None:
        self._entries, self._path, self._parameters = entries, path, parameters
        schema = definition['properties']
        settings = {'index': _INDEX} | {key: repetition[key] for key in ('count', 'index')
                                     if key in repetition}
        self._sections = {key: value for key, value in repetition.items() if key not in settings}
        self._schemas = {key: schema[key] for key in self._sections}
        self._index = settings['index']
        if self._index in {*parameters, 'pi'}:
            entries.fail(f'{path}.index', f'{self._index} is the name of a parameter already')
        self._count = completed(entries, f'{path}.count', settings['count'], schema['count'],
                                parameters)
        entries.finish()
        if self._count != int(self._count):
            entries.fail(f'{path}.count', f'{self._count} must be a whole number')

    def write(self, written: dict[str, Any]) -> None:
        """Add the entries to the sections of `written`."""
        for k in range(int(self._count)):
            known = self._parameters | {self._index: k}
            for section, template in self._sections.items():
                if len(written.get(section, ())) > _MOST:
                    self._entries.fail(f'{self._path}.{section}',
                                       f'gives more than {_MOST} entries')
                path = f'{self._path}.{section}'
                named = self._named(path, template, known)
                target = written.setdefault(section, {})
                complete = completed(self._entries, path, named, self._schemas[section], known)
                self._entries.finish()
                for name, entry in complete.items():
                    if name in target:
                        self._entries.fail(f'{path}.{name}', 'is there twice: its name must '
                                                             f'depend on <{self._index}>')
                    target[name] = entry

    def _named(self, path: str, value: Any, known: Mapping[str, float]) -> Any:
        """Return value with the blanks <...> of its names filled."""
        if isinstance(value, dict):
            return {self._filled(path, key, known): self._named(f'{path}.{key}', item, known)
                    for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._named(path, item, known) for item in value]
        return self._filled(path, value, known)

    def _filled(self, path: str, text: Any, known: Mapping[str, float]) -> Any:
        """Return text, if it is one, with its blanks <...> filled."""
        try:
            return _filled(text, known) if isinstance(text, str) else text
        except ValueError as error:
            self._entries.fail(path, error)
