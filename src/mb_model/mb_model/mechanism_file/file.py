"""Mechanism files: found by name or path, read from YAML or by the reader of another format."""

from collections.abc import Callable, Mapping, Sequence
import csv
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from mb_model.files.paths import user_path
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.overrides import merged
from mb_model.mechanism_file.yaml_loader import NotYamlError, load_yaml
from mb_model.registry.kind_modules import plugin_class, plugin_names
from mb_model.settings import shown

_LARGEST = 1_000_000      # characters
_LONGEST_TABLE = 1_000_000     # characters
_TABLE = '.csv'
_MOST = 200_000           # values, named ones (*name) counted again
_LONGEST_CHAIN = 20       # of files that extend each other
_REQUIRED = 'extends', 'points', 'bodies', 'repeat'    # one of them a mechanism has
_YAML = '.yaml', '.yml'
_IMPORT = 'import'        # section for the reader of a description that a file extends
# Suffix of a file without its dot -> function (path, section `import`): mapping of a mechanism
# file, with its `origin`.
_READERS = 'mb_model.readers'


def mechanism_names() -> list[str]:
    """Return the names of the mechanisms that come with mb_model."""
    folder = resources.files('mb_model') / 'mechanisms'
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith('.yaml'))


def read_mechanism_file(name_or_path: str | Path) -> tuple[dict[str, Any], str]:
    """Return (mapping, file name for messages) of a mechanism, put over what it extends.

    name_or_path: a name of mechanism_names(), the path of a YAML file, or of a description in a
    format that some reader knows.  Raises MechanismError.
    """
    chain = _followed(str(name_or_path))
    raws, file = chain.raws, chain.file
    if chain.described:
        described, own = _beneath(file, _read_described, chain.name, chain.section)
        raws, file = [*raws, described], file or own
    raw = raws[-1]
    for overrides in reversed(raws[:-1]):
        raw = merged(raw, overrides)
    return raw, file


def description_of(name_or_path: str | Path) -> tuple[Path, dict[str, Any]] | None:
    """Return (path, section `import`) of the description that a mechanism is made from.

    None of one that YAML describes.  Raises MechanismError.
    """
    chain = _followed(str(name_or_path))
    return (_path(chain.name), chain.section) if chain.described else None


class _Chain(NamedTuple):
    """Mappings of YAML files, each put over the next, and the name of what is at the end.

    file: the first of them, '' for none, in messages; section: their `import`; described: whether a
    description that a reader knows is at the end, else the last of the mappings is.
    """

    raws: list[dict[str, Any]]
    file: str
    name: str
    section: Any
    described: bool


def _followed(name: str) -> _Chain:
    """Return the chain of files that extend each other, from one by name or path on."""
    raws: list[dict[str, Any]] = []
    file, seen = '', list[str]()
    section: Any = {}
    while not _is_described(name):
        raw, own = _beneath(file, _read, name)
        file = file or own
        raws.append(raw)
        if 'extends' not in raw:
            if _IMPORT in raw or section:
                raise MechanismError(
                    f'{file}: {_IMPORT}: is for files that extend a description, expected '
                    f'`extends` of one of {", ".join(_suffixes_of_readers())}')
            return _Chain(raws, file, name, section, False)
        seen.append(name)
        name = _extended(file, raw.pop('extends'), seen)
        section = merged(raw.pop(_IMPORT, {}), section)
    return _Chain(raws, file, name, section, True)


def _beneath(file: str, read: Callable[..., tuple[dict[str, Any], str]],
             *given: Any) -> tuple[dict[str, Any], str]:
    """Return read(*given), of what a file extends, '' for none; its errors begin with the file."""
    try:
        return read(*given)
    except MechanismError as error:
        if not file:
            raise
        raise MechanismError(f'{file}: extends: {error}') from None


def import_notes(raw: Any) -> tuple[str, ...]:
    """Return what the reader of a description noted in the mapping of a mechanism."""
    origin = raw.get('origin')
    notes = origin.get('notes') if isinstance(origin, dict) else None
    return tuple(map(str, notes)) if isinstance(notes, list) else ()


def _suffixes_of_readers() -> list[str]:
    """Return the suffixes of descriptions in other formats that can be read."""
    return [f'.{name}' for name in plugin_names(_READERS)]


def _is_described(name: str) -> bool:
    """Whether a name or path is of a description that some reader knows."""
    suffix = Path(name).suffix.lower()
    return (suffix not in ('', *_YAML) and name not in mechanism_names()
            and suffix in _suffixes_of_readers())


def _extended(file: str, base: Any, seen: Sequence[str]) -> str:
    """Return name or path of what the last one of `seen` extends."""
    if not isinstance(base, str):
        raise MechanismError(f'{file}: extends: {base!r} must be the name or file of a mechanism')
    if base not in mechanism_names():
        base = str(Path(seen[-1]).parent / _path(base))
    if base in seen or len(seen) == _LONGEST_CHAIN:
        raise MechanismError(f'{file}: extends: {" > ".join([*seen, base])} has no end')
    return base


def _read_described(name: str, section: Any) -> tuple[dict[str, Any], str]:
    """Return (mapping, file name) of a description; section: what completes it."""
    path = _path(name)
    _kind_of_file(name, path)       # raises
    reader = plugin_class(_READERS, path.suffix.lower()[1:], 'format', MechanismError)
    return reader(path, section), path.name


def _kind_of_file(name: str, path: Path) -> tuple[bool, bool]:
    """Return whether a path is there, and whether it is an ordinary file."""
    try:
        return path.exists(), path.is_file()
    except OSError as error:
        raise MechanismError(f'{shown(name)}: cannot be read ({error.strerror})') from None


def _read(name: str) -> tuple[dict[str, Any], str]:
    """Return (mapping, file name) of one file of YAML."""
    if name in mechanism_names():
        source = resources.files('mb_model') / 'mechanisms' / f'{name}.yaml'
        raw, file = parse_mechanism(source.read_text(encoding='utf-8'), source.name)
        return _with_tables(raw, resources.files('mb_model') / 'mechanisms', file), file
    path = _path(name)
    there, ordinary = _kind_of_file(name, path)
    if not str(name) or (path.suffix not in _YAML and not there):
        raise MechanismError(f'{name}: unknown mechanism, expected one of '
                             f'{", ".join(mechanism_names())}, or the path of a file '
                             f'({", ".join([".yaml", *_suffixes_of_readers()])})')
    try:
        if there and not ordinary:      # one that waits for ever, or never ends
            raise MechanismError(f'{name}: no ordinary file')
        with path.open('rb') as file:
            text = file.read(_LARGEST + 1).decode('utf-8')
    except FileNotFoundError:
        raise MechanismError(f'{name}: no such file') from None
    except OSError as error:
        raise MechanismError(f'{name}: cannot be read ({error.strerror})') from None
    except UnicodeDecodeError:
        raise MechanismError(f'{name}: not a text in UTF-8') from None
    raw, file = parse_mechanism(text, path.name)
    return _with_tables(raw, path.parent, file), file


def _path(text: str) -> Any:
    try:
        return user_path(text)
    except ValueError as error:
        raise MechanismError(str(error)) from None


def parse_mechanism(text: str, file: str) -> tuple[dict[str, Any], str]:
    """Return (mapping, file) from a YAML text; raises MechanismError with line and column.

    The error quotes nothing of a text that is no mechanism: it may be any file of the machine.
    """
    if len(text) > _LARGEST:
        raise MechanismError(f'{file}: longer than {_LARGEST} characters')
    try:
        raw, twice = load_yaml(text)
    except NotYamlError as error:
        raise MechanismError(f'{file}: {error}') from None
    if not isinstance(raw, dict):
        raise MechanismError(f'{file}: must be a mapping with name, points, bodies, independent')
    if not any(key in raw for key in _REQUIRED):
        raise MechanismError(f'{file}: is no mechanism: it has none of {", ".join(_REQUIRED)}')
    if twice:
        raise MechanismError(f'{file}: {twice}')
    _check_number(raw, file)
    return raw, file


def _check_number(raw: Any, file: str) -> None:
    """A short text can name one value endlessly often."""
    values, count = [raw], 0
    while values:
        value, count = values.pop(), count + 1
        if count > _MOST:
            raise MechanismError(f'{file}: more than {_MOST} values')
        values += value.values() if isinstance(value, dict) else value if isinstance(
            value, list) else ()


def mechanism_text(raw: Mapping[str, Any]) -> str:
    """Return the YAML text of a mechanism file from its mapping."""
    return yaml.safe_dump(_plain(raw), sort_keys=False, default_flow_style=None)


def _plain(value: Any) -> Any:
    """Return a value with numpy's numbers and arrays, which overrides may have, as Python's."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return _plain(value.tolist()) if isinstance(value, (np.ndarray, np.generic)) else value


def _with_tables(raw: Any, folder: Any, file: str) -> Any:
    """Return the mapping of a mechanism file with the tables that its bodies name read.

    folder: of the mechanism file (a Path, or a resource); file: its name in messages.  What is
    otherwise wrong is left to others.  Raises MechanismError.
    """
    bodies = raw.get('bodies')
    if not isinstance(bodies, dict):
        return raw
    tables = {}
    for name, body in bodies.items():
        flexible = body.get('flexible') if isinstance(body, dict) else None
        table = flexible.get('table') if isinstance(flexible, dict) else None
        if isinstance(body, dict) and isinstance(flexible, dict) and isinstance(table, str):
            tables[name] = body | {'flexible': flexible | {'table': _read_table(
                folder, table, f'{file}: bodies.{name}.flexible.table: {table}')}}
    return raw | {'bodies': bodies | tables} if tables else raw


def _read_table(folder: Any, name: str, where: str) -> dict[str, Any]:
    """Return {x, deflections} of a file; errors quote nothing of it: it may be any file."""
    if not name.endswith(_TABLE) or '/' in name or '\\' in name:
        raise MechanismError(f'{where}: must be the name of a {_TABLE} file beside this one')
    try:
        with (folder / name).open('r', encoding='utf-8') as source:
            text = source.read(_LONGEST_TABLE + 1)
    except (OSError, ValueError) as error:
        raise MechanismError(f'{where}: cannot be read ({_why(error)})') from None
    if len(text) > _LONGEST_TABLE:
        raise MechanismError(f'{where}: longer than {_LONGEST_TABLE} characters')
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


def _why(error: Exception) -> str | None:
    return error.strerror if isinstance(error, OSError) else 'not a text in UTF-8'
