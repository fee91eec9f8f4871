"""Options that commands share which fit parameters and write a mechanism file with them."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from mb_model.commands.assignments import assigned
from mb_model.files.user_path import user_path
from mb_model.mechanism_file.file import mechanism_names
from mb_model.settings import Settings

Chosen = TypeVar('Chosen', bound=Settings)


def add_fit_argument(parser: ArgumentParser, kind: type[Settings]) -> None:
    """Add the settings of a fit, a Settings class, to an argparse parser."""
    parser.add_argument('--fit', action='append', default=[], metavar='NAME=VALUE',
                        help='settings of the fit: ' + '; '.join(
                            f'{name}: {described.help} [{described.unit or 1}]'
                            for name, _, described in kind.describe()))


def fit_settings(texts: Iterable[str], kind: type[Chosen]) -> Chosen:
    """Return the settings, of a Settings class, of texts NAME=VALUE; raises ValueError."""
    values = assigned(texts, '--fit')
    try:
        return kind.from_mapping(values)
    except ValueError as error:
        raise ValueError(f'--fit {error}') from None


def require_folder(option: str, path: str | Path) -> None:
    """Raise FileNotFoundError unless a file can be written at the path of an option."""
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f'{option} {path}: no such folder')


def extended(mechanism: str) -> str:
    """Return what a file has to extend to mean a mechanism from wherever it lies: name or path."""
    if mechanism in mechanism_names():
        return mechanism
    return str(user_path(mechanism).absolute())
