"""Assignments on the command line: KEY=VALUE."""

from collections.abc import Iterable
from typing import Any

import yaml

from mb_model.mechanism_file.overrides import merged


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
