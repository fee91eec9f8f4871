"""Descriptions, errors and arguments of substitutions."""
from collections.abc import Iterable

from ..substitution import Substitution


class SubstitutionFailure(RuntimeError):
    """A substitution could not be performed."""


def described(parts: Iterable[Substitution]) -> str:
    """Return how a reader would write the joined parts."""
    return ' + '.join(part.describe() for part in parts)


def exactly(name: str, data, count: int) -> None:
    """Raise a TypeError unless a substitution in XML or YAML has this number of arguments."""
    if len(data) != count:
        arguments = 'argument' if count == 1 else 'arguments'
        raise TypeError(f'{name} substitution expects {count} {arguments}, got {len(data)}')


def from_to(name: str, data, least: int, most: int) -> None:
    """Raise a TypeError unless a substitution's number of arguments is in this range."""
    if not least <= len(data) <= most:
        raise TypeError(f'{name} substitution expects {least} to {most} arguments, '
                        f'got {len(data)}')
