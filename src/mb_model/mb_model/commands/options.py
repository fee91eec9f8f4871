"""Options that commands share: assignments KEY=VALUE, and settings of fits."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from mb_model.files.paths import user_path
from mb_model.mechanism_file.file import mechanism_names
from mb_model.mechanism_file.overrides import merged
from mb_model.settings import Settings


def changes_of(texts: Iterable[str], option: str = '--set') -> dict[str, Any]:
    """Return the overrides of texts such as 'bodies.crank.mass=3'; raises ValueError.

    option: of the command, that the texts were given by.
    """
    changes: dict[str, Any] = {}
    for text in texts:
        path, value = assignment(text, option)
        for key in reversed(path.split('.')):
            value = {key: value}
        changes = merged(changes, value)
    return changes


def assignment(text: str, option: str) -> tuple[str, Any]:
    """Return (key, value) of a text 'key=value', the value read as YAML; raises ValueError."""
    key, equals, value = text.partition('=')
    try:
        value = yaml.safe_load(value)
    except yaml.YAMLError:
        equals = ''
    if not (key and equals):
        raise ValueError(f'{option} {text}: must be KEY=VALUE')
    return key, value


def assigned(texts: Iterable[str], option: str) -> dict[str, Any]:
    """Return the values of texts NAME=VALUE of an option, by name; raises ValueError."""
    values = {}
    for text in texts:
        name, equals, value = text.partition('=')
        if not (name and equals):
            raise ValueError(f'{option} {text}: must be NAME=VALUE')
        values[name] = value_of(value)
    return values


def value_of(text: str) -> Any:
    """Return a text as YAML has it, and numbers also as 1e-3, which YAML does not know."""
    try:
        value = yaml.safe_load(text)
        return float(value) if isinstance(value, str) else value
    except (yaml.YAMLError, ValueError):
        return text


Chosen = TypeVar('Chosen', bound=Settings)


def add_fit_argument(parser: ArgumentParser, kind: type[Settings], option: str = '--fit',
                     of: str = 'the fit') -> None:
    """Add the settings of a fit, a Settings class, to an argparse parser."""
    parser.add_argument(option, action='append', default=[], metavar='NAME=VALUE',
                        help=f'settings of {of}: ' + '; '.join(
                            f'{name}: {described.help} [{described.unit or 1}]'
                            for name, _, described in kind.describe()))


def fit_settings(texts: Iterable[str], kind: type[Chosen], option: str = '--fit') -> Chosen:
    """Return the settings, of a Settings class, of texts NAME=VALUE; raises ValueError."""
    values = assigned(texts, option)
    try:
        return kind.from_mapping(values)
    except ValueError as error:
        raise ValueError(f'{option} {error}') from None


def require_folder(option: str, path: str | Path) -> None:
    """Raise OSError unless there is a folder for the file or folder at the path of an option."""
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f'{option} {path}: no such folder')


def require_file(option: str, path: str | Path) -> None:
    """Raise OSError unless a file can be written at the path of an option, over an older one."""
    require_folder(option, path)
    if Path(path).is_dir():
        raise IsADirectoryError(f'{option} {path}: is a folder, expected a file')
    if Path(path).exists() and not Path(path).is_file():
        raise PermissionError(f'{option} {path}: is no ordinary file')


def extended(mechanism: str) -> str:
    """Return what a file has to extend to mean a mechanism from wherever it lies: name or path."""
    if mechanism in mechanism_names():
        return mechanism
    return str(user_path(mechanism).absolute())
