"""The entries of a mechanism file with their expressions evaluated and their defaults filled in."""

from copy import deepcopy
from math import nan

from mb_model.mechanism_file.entries import LEAST
from mb_model.mechanism_file.schema import part_for
from mb_model.settings import shown

_BOUNDS = {'exclusiveMinimum': ('>', lambda number, bound: number > bound),
           'minimum': ('>=', lambda number, bound: number >= bound),
           'maximum': ('<=', lambda number, bound: number <= bound)}


def completed(entries, path, value, schema, parameters):
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


def _number(entries, path, value, part, parameters):
    with entries.noted(path):
        number = entries.number(path, value, parameters)
        for keyword, (sign, good) in _BOUNDS.items():
            if keyword in part and not good(number, part[keyword]):
                entries.fail(path, f'{shown(value)} must be {sign} {part[keyword]}')
        if 'exclusiveMinimum' in part and number < LEAST:
            entries.fail(path, f'{shown(value)} must be >= {LEAST:g}')
        return number
    return nan


def _mapping(entries, path, value, part, parameters):
    known, others = part.get('properties', {}), part.get('additionalProperties')
    complete = {key: completed(entries, f'{path}.{key}' if path else key, item,
                               known.get(key, others), parameters)
                for key, item in value.items()}
    for key, schema in known.items():
        if key not in value and 'default' in schema:
            complete[key] = completed(entries, key, schema['default'], schema, parameters)
    return complete
