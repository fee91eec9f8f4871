"""Names and numbers in a mechanism file; errors name file, key, value and expectation."""

from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.expressions import ExpressionError, evaluate
from mb_model.settings import shown

# Of all numbers: their products stay finite, and quotients of them by others that must be > 0.
LARGEST, LEAST = 1e15, 1e-20


def as_number(value, parameters=None):
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
    """Reads values of a file named `file`."""

    def __init__(self, file):
        self.file = file

    def fail(self, path, message):
        """Raise MechanismError about the value at a path such as 'bodies.crank.mass'."""
        raise MechanismError(f'{self.file}: {path}: {message}' if path
                             else f'{self.file}: {message}')

    def number(self, path, value, parameters):
        """Return value, a finite number or an expression over parameters, as a float."""
        try:
            number = as_number(value, parameters)
        except ValueError as error:
            self.fail(path, error)
        if abs(number) > LARGEST:
            self.fail(path, f'{shown(value)} must be >= {-LARGEST:g} and <= {LARGEST:g}')
        return number

    def names(self, path, value, known, what):
        """Return value, a list of different names out of `known` (called `what` in errors)."""
        names = tuple(self.one_of(f'{path}[{k}]', name, known, what)
                      for k, name in enumerate(value))
        seen = set()
        for k, name in enumerate(names):
            if name in seen:
                self.fail(f'{path}[{k}]', f'{name} is there twice')
            seen.add(name)
        return names

    def one_of(self, path, value, known, what):
        """Return value, one of the names `known`."""
        if not isinstance(value, str) or value not in known:
            self.fail(path, f'{shown(value)}: unknown {what}, expected one of '
                            f'{", ".join(known) or "none: there are none"}')
        return value
