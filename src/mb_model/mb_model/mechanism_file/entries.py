"""Names and numbers in a mechanism file; errors name file, key, value and expectation."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
import re
from typing import Any, NoReturn

from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.expressions import ExpressionError, evaluate
from mb_model.settings import shown

# Of all numbers: their products stay finite, and quotients of them by others that must be > 0.
LARGEST, LEAST = 1e15, 1e-20


class _ConsequenceError(MechanismError):
    """An entry that cannot be read because of a mistake in another one, which is noted."""


def as_number(value: Any, parameters: Mapping[str, float] | None = None) -> float:
    """Return a number, or an expression over parameters, as a finite float; raises ValueError."""
    if isinstance(value, str):
        try:
            return evaluate(value, parameters)
        except ExpressionError as error:
            raise ValueError(f'{shown(value)} {error}') from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f'{shown(value)} must be a number')
    try:
        number = float(value)
    except OverflowError:
        number = float('inf')
    if not abs(number) < float('inf'):
        raise ValueError(f'{shown(value)} must be finite')
    return number


class Entries:
    """Reads values of a file named `file`, and notes the mistakes in it.

    An entry, such as 'bodies.crank', with a mistake is broken: it is not read any further, and
    others that name it are not mistaken for that.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._mistakes = {}         # their texts, each once, in order
        self._broken = set()        # 'section.name', or a key of the file

    def fail(self, path: str, message: object) -> NoReturn:
        """Raise MechanismError about the value at a path such as 'bodies.crank.mass'."""
        raise MechanismError(f'{self.file}: {path}: {message}' if path
                             else f'{self.file}: {message}')

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The texts of all mistakes."""
        return tuple(self._mistakes)

    @contextmanager
    def noted(self, path: str) -> Iterator[None]:
        """Note a mistake that the block finds at a path, and go on after the block."""
        try:
            yield
        except ValueError as error:
            if not isinstance(error, _ConsequenceError):
                self._mistakes[str(error)] = None
            self._broken.add(_owner(path))

    def is_broken(self, path: str) -> bool:
        """Return whether a mistake was noted in the entry that a path is in, or in a section."""
        owner = _owner(path)
        return owner in self._broken or ('.' not in owner and any(
            broken.startswith(f'{owner}.') for broken in self._broken))

    def sound(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Return the mapping of a file without broken entries.

        Raises MechanismError if more is broken than entries of sections: all would follow from it.
        """
        if any('.' not in path for path in self._broken):
            self.finish()
        return {key: {name: item for name, item in value.items()
                      if not self.is_broken(f'{key}.{name}')} if isinstance(value, dict) else value
                for key, value in raw.items()
                if isinstance(value, dict) or not self.is_broken(str(key))}

    def each(self, section: str, data: Mapping[str, Any],
             read: Callable[[str, Any], Any]) -> dict[str, Any]:
        """Return {name: read(name, value)} of the entries of a section that are not broken."""
        results = {}
        for name, value in data.items():
            path = f'{section}.{name}'
            if not self.is_broken(path):
                with self.noted(path):
                    results[name] = read(name, value)
        return results

    def finish(self) -> None:
        """Raise MechanismError if mistakes were noted: the first one, which has all."""
        if self._mistakes:
            first, *others = self._mistakes
            raise MechanismError(first, others)

    def number(self, path: str, value: Any, parameters: Mapping[str, float]) -> float:
        """Return value, a finite number or an expression over parameters, as a float."""
        try:
            number = as_number(value, parameters)
        except ValueError as error:
            if isinstance(value, str) and self._names_broken(*re.findall(r'\w+', value)):
                raise _ConsequenceError(f'{path}: {value}') from None
            self.fail(path, error)
        if abs(number) > LARGEST:
            self.fail(path, f'{shown(value)} must be >= {-LARGEST:g} and <= {LARGEST:g}')
        return number

    def names(self, path: str, value: Iterable[Any], known: Collection[str],
              what: str) -> tuple[str, ...]:
        """Return value, a list of different names out of `known` (called `what` in errors)."""
        names = tuple(self.one_of(f'{path}[{k}]', name, known, what)
                      for k, name in enumerate(value))
        seen = set()
        for k, name in enumerate(names):
            if name in seen:
                self.fail(f'{path}[{k}]', f'{name} is there twice')
            seen.add(name)
        return names

    def one_of(self, path: str, value: Any, known: Collection[str], what: str) -> str:
        """Return value, one of the names `known`."""
        if not isinstance(value, str) or value not in known:
            if isinstance(value, str) and self._names_broken(value, value.partition('.')[0]):
                raise _ConsequenceError(f'{path}: {value}')
            expected = f', expected one of {", ".join(known) or "none: there are none"}'
            self.fail(path, f'{shown(value)}: unknown {what}' + (
                '' if self._broken else expected))      # broken ones may be meant
        return value

    def _names_broken(self, *words: str) -> bool:
        """Return whether one of some words is the name of a broken entry."""
        return not {path.partition('.')[2] for path in self._broken}.isdisjoint(words)


def _owner(path: str) -> str:
    """Return the entry that a path is in: 'bodies.crank' of 'bodies.crank.points[0]'."""
    return '.'.join(re.split(r'\.|\[', path)[:2])
