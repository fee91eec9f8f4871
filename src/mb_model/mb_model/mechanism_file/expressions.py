"""Arithmetic in mechanism files: numbers, named parameters, a few functions; nothing else.

YAML cuts expressions at their commas where they are in braces without quotes: of {length:
hypot(a, b), mass: 1.0} it makes three entries: length 'hypot(a', 'b)', and mass.  They are joined.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
import math
import re
from typing import Any

from mb_model.settings.units import without_unit

FUNCTIONS = {name: getattr(math, name) for name in (
    'sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'hypot', 'exp', 'log',
    'radians', 'degrees')} | {'abs': abs, 'min': min, 'max': max}
CONSTANTS = {'pi': math.pi}
LONGEST = 500

_TOKEN = re.compile(r'\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)'
                    r'|([A-Za-z_]\w*)|(\*\*|[-+*/(),]))')


class ExpressionError(ValueError):
    """An expression that cannot be read or has no finite value; the text says why."""


def evaluate(text: str, parameters: Mapping[str, float] | None = None) -> float:
    """Return the value of an expression such as 'crank_length / 2 + 3 * sin(pi / 6)'.

    parameters: names and numbers that it may use beside pi.  Raises ExpressionError.
    """
    value = parse(text, parameters or {}, FUNCTIONS)
    if isinstance(value, complex) or not math.isfinite(value):
        raise ExpressionError('has no finite value')
    return float(value)


def parse(text: str, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    """Return what an expression makes of the values of its names, numbers or what acts like them.

    names: name -> value, beside pi; functions: name -> function of such values.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f'is longer than {LONGEST} characters')
    try:
        return _Parser(_split(text), names, functions).read_all()
    except RecursionError:
        raise ExpressionError('is nested too deeply') from None
    except (ArithmeticError, ValueError, TypeError) as error:
        number = without_unit(text, expressions=True)
        if number:
            raise ExpressionError(f'has a unit: write {number}') from None
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f'has no value ({error})') from None


def names_in(text: str) -> set[str]:
    """Return the set of names that an expression uses, functions left out."""
    return {name for kind, name in _split(text) if kind == 'name'} - set(FUNCTIONS)


def _split(text: str) -> list[tuple[str, str]]:
    """Return the tokens of an expression as (kind, text)."""
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if not match:
            raise ExpressionError(f'has an unexpected {text[position:].strip()[0]!r}')
        group = match.lastindex or 0        # there is one
        tokens.append((('number', 'name', 'sign')[group - 1], match.group(group)))
        position = match.end()
    return tokens


class _Parser:
    """Recursive descent: sum of products of powers of atoms."""

    def __init__(self, tokens: Sequence[tuple[str, str]], names: Mapping[str, Any],
                 functions: Mapping[str, Callable[..., Any]]) -> None:
        self._tokens = tokens
        self._names, self._functions = names, functions
        self._next = 0

    def read_all(self) -> Any:
        value = self._sum()
        if self._next < len(self._tokens):
            raise ExpressionError(f'has an unexpected {self._tokens[self._next][1]!r}')
        return value

    def _take(self, *signs: str) -> str | None:
        """Consume and return the next token if it is one of the signs, else return None."""
        if self._next < len(self._tokens):
            kind, text = self._tokens[self._next]
            if kind == 'sign' and text in signs:
                self._next += 1
                return text
        return None

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise ExpressionError(f'lacks a {sign!r}')

    def _sum(self) -> Any:
        value = self._product()
        while sign := self._take('+', '-'):
            term = self._product()
            value = value + term if sign == '+' else value - term
        return value

    def _product(self) -> Any:
        value = self._signed()
        while sign := self._take('*', '/'):
            factor = self._signed()
            value = value * factor if sign == '*' else value / factor
        return value

    def _signed(self) -> Any:
        if sign := self._take('+', '-'):
            value = self._signed()
            return value if sign == '+' else -value
        return self._power()

    def _power(self) -> Any:
        base = self._atom()
        return base ** self._signed() if self._take('**') else base

    def _atom(self) -> Any:
        if self._take('('):
            value = self._sum()
            self._expect(')')
            return value
        if self._next == len(self._tokens):
            raise ExpressionError('ends too early')
        kind, text = self._tokens[self._next]
        self._next += 1
        if kind == 'number':
            return float(text)
        if kind == 'name':
            return self._call(text) if self._take('(') else self._named(text)
        raise ExpressionError(f'has an unexpected {text!r}')

    def _named(self, name: str) -> Any:
        value = self._names.get(name, CONSTANTS.get(name))
        if value is None:
            known = ', '.join(sorted({*self._names, *CONSTANTS}))
            raise ExpressionError(f'names the unknown {name!r}, known are {known}')
        return float(value) if isinstance(value, int) else value

    def _call(self, name: str) -> Any:
        if name not in self._functions:
            raise ExpressionError(
                f'calls the unknown {name!r}, known are {", ".join(sorted(self._functions))}')
        arguments = [self._sum()]
        while self._take(','):
            arguments.append(self._sum())
        self._expect(')')
        return self._functions[name](*arguments)


def joined_expressions(entries: Any, path: str, value: Any) -> Any:
    """Return a value of a mechanism file with such expressions joined, each a noted mistake.

    entries: Entries; path: where the value is, for messages.
    """
    if isinstance(value, dict):
        parts = _joined(list(value.items()), lambda item: item is None, lambda key, _: key)
        inner = f'{path}.' if path else ''
        return {key: _noted(entries, f'{inner}{key}', text, item) for key, item, text in parts}
    if isinstance(value, (list, tuple)):
        parts = _joined(list(enumerate(value)), lambda item: not isinstance(item, (dict, list)),
                        lambda _, item: item)
        return [_noted(entries, f'{path}[{k}]', text, item) for k, item, text in parts]
    return value


def _noted(entries: Any, path: str, text: str | None, value: Any) -> Any:
    """Return the joined text, a mistake, if there is one; else the value, looked through."""
    if text is None:
        return joined_expressions(entries, path, value)
    with entries.noted(path):
        entries.fail(path, f"{text} needs quotes, '{text}': YAML cuts it at the comma")
    return text


def _joined(items: Sequence[tuple[Any, Any]], continues: Callable[[Any], bool],
            part: Callable[[Any, Any], Any]) -> Iterator[tuple[Any, Any, str | None]]:
    """Yield (key, value, joined text or None) of items (key, value), parts of texts left out.

    continues(value): whether an item may be a part of the text before; part(key, value): which.
    """
    k = 0
    while k < len(items):
        key, value = items[k]
        text, k = value, k + 1
        if _open(value):
            following = takewhile(lambda item: continues(item[1]), items[k:])
            for count, item in enumerate(following, 1):
                text = f'{text}, {part(*item)}'
                if not _open(text):
                    k += count
                    break
        yield key, value, text if text is not value and not _open(text) else None


def _open(text: Any) -> bool:
    """Return whether a value is a text with a parenthesis that is not closed."""
    return isinstance(text, str) and text.count('(') > text.count(')')
