"""Shapes of beams from .csv files beside a mechanism file: written into its mapping."""

import csv
from math import isfinite

from mb_model.mechanism_file.description import MechanismError

_LARGEST = 1_000_000     # characters
_ENDING = '.csv'


def with_tables(raw, folder, file):
    """Return the mapping of a mechanism file with the tables that its bodies name read.

    folder: of the mechanism file (a Path, or a resource); file: its name in messages.  What is
    otherwise wrong is left to others.  Raises MechanismError.
    """
    bodies = raw.get('bodies')
    if not isinstance(bodies, dict):
        return raw
    found = {}
    for name, body in bodies.items():
        flexible = body.get('flexible') if isinstance(body, dict) else None
        table = flexible.get('table') if isinstance(flexible, dict) else None
        if isinstance(table, str):
            found[name] = body | {'flexible': flexible | {'table': _read(
                folder, table, f'{file}: bodies.{name}.flexible.table: {table}')}}
    return raw | {'bodies': bodies | found} if found else raw


def _read(folder, name, where):
    """Return {x, deflections} of a file; errors quote nothing of it: it may be any file."""
    if not name.endswith(_ENDING) or '/' in name or '\\' in name:
        raise MechanismError(f'{where}: must be the name of a {_ENDING} file beside this one')
    try:
        with (folder / name).open('r', encoding='utf-8') as source:
            text = source.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        raise MechanismError(f'{where}: cannot be read ({_reason(error)})') from None
    if len(text) > _LARGEST:
        raise MechanismError(f'{where}: longer than {_LARGEST} characters')
    head, *rows = [row for row in csv.reader(text.splitlines()) if row] or [[]]
    if not head or head[0].strip() != 'x':
        raise MechanismError(f'{where}: the first line must be x and a name for each shape')
    try:
        numbers = [[float(value) for value in row] for row in rows]
    except ValueError:
        numbers = [[]]
    if not numbers or any(len(row) != len(head) or not all(map(isfinite, row)) for row in numbers):
        raise MechanismError(f'{where}: each line must have {len(head)} numbers')
    x, *deflections = map(list, zip(*numbers, strict=True))
    return {'x': x, 'deflections': deflections}


def _reason(error):
    return error.strerror if isinstance(error, OSError) else 'not a text in UTF-8'
