"""Typed access to the entries of a YAML mapping, with errors that name file, key and value."""

import re

from mb_model.description import MechanismError
from mb_model.expressions import ExpressionError, evaluate

_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')


def as_number(value, parameters=None):
    """Return a number, or an expression over parameters, as a finite float; raises ValueError."""
    if isinstance(value, str):
        try:
            return evaluate(value, parameters)
        except ExpressionError as error:
            raise ValueError(f'{_shown(value)} {error}') from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f'{_shown(value)} must be a number')
    try:
        number = float(value)
    except OverflowError:
        number = float('inf')
    if not abs(number) < float('inf'):
        raise ValueError(f'{_shown(value)} must be finite')
    return number


class Entries:
    """Reads values of a file named `file`; numbers may be expressions over `parameters`."""

    def __init__(self, file, parameters=None):
        self.file = file
        self.parameters = dict(parameters or {})

    def fail(self, path, message):
        """Raise MechanismError about the value at a path such as 'bodies.crank.mass'."""
        raise MechanismError(f'{self.file}: {path}: {message}' if path
                             else f'{self.file}: {message}')

    def mapping(self, path, value, required=(), optional=None):
        """Return value, a mapping; with `optional` given, it may have only the keys named."""
        if not isinstance(value, dict):
            self.fail(path, f'{_shown(value)} must be a mapping')
        for key in value:
            if not isinstance(key, str):
                self.fail(path, f'the key {key!r} must be a name (in quotes, if it is meant so)')
            known = (*required, *(optional or ()))
            if optional is not None and key not in known:
                self.fail(_join(path, key), f'unknown key, expected one of {", ".join(known)}')
        for key in required:
            if key not in value:
                self.fail(_join(path, key), 'missing')
        return value

    def named(self, path, value):
        """Return value, a mapping whose keys are names of things."""
        for key in self.mapping(path, value):
            if not _NAME.fullmatch(key):
                self.fail(_join(path, key), 'a name has letters, digits and _ only, no digit first')
        return value

    def number(self, path, value, above=None, at_least=None):
        """Return value, a finite number or an expression, as a float."""
        try:
            number = as_number(value, self.parameters)
        except ValueError as error:
            self.fail(path, error)
        for bound, sign, good in ((above, '>', above is None or number > above),
                                  (at_least, '>=', at_least is None or number >= at_least)):
            if not good:
                self.fail(path, f'{value} must be {sign} {bound:g}')
        return number

    def vector(self, path, value):
        """Return value, two numbers [x, y], as a tuple."""
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            self.fail(path, f'{_shown(value)} must be two numbers [x, y]')
        return tuple(self.number(f'{path}[{k}]', item) for k, item in enumerate(value))

    def names(self, path, value, known, what):
        """Return value, a list of different names out of `known` (called `what` in errors)."""
        if not isinstance(value, (list, tuple)):
            self.fail(path, f'{_shown(value)} must be a list of names')
        names = tuple(self.one_of(f'{path}[{k}]', name, known, what)
                      for k, name in enumerate(value))
        for k, name in enumerate(names):
            if name in names[:k]:
                self.fail(f'{path}[{k}]', f'{name} is there twice')
        return names

    def one_of(self, path, value, known, what):
        """Return value, one of the names `known`."""
        if not isinstance(value, str) or value not in known:
            self.fail(path, f'{_shown(value)}: unknown {what}, expected one of '
                            f'{", ".join(known) or "none: there are none"}')
        return value

    def text(self, path, value):
        """Return value, a text."""
        if not isinstance(value, str):
            self.fail(path, f'{_shown(value)} must be a text')
        return value


def _join(path, key):
    return f'{path}.{key}' if path else key


def _shown(value):
    """Return a short picture of a value for an error message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + '...'
