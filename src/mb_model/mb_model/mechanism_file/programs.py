"""Expressions over one variable, made into programs for kernels.programs.

Of time: what a mechanism file prescribes of coordinates.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from mb_model.arrays import RecordArray
from mb_model.kernels import programs as operations
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.expressions import FUNCTIONS, ExpressionError, parse
from mb_model.record import DEPTH, LENGTH

_UNUSED = -1

PROGRAM = np.dtype([('operations', np.int64, (LENGTH,)), ('numbers', np.float64, (LENGTH,))])


def _operators(operation: int) -> tuple[Callable[..., 'Term'], Callable[..., 'Term']]:
    """Return the methods of an operator, of a Term on its left and on its right."""
    return (lambda term, other: _join(operation, term, other),
            lambda term, other: _join(operation, other, term))


class Term:
    """A part of an expression that has the variable in it: its operations, last one last."""

    def __init__(self, steps: list[tuple[int, float]], depth: int) -> None:
        if len(steps) > LENGTH or depth > DEPTH:
            raise ExpressionError(f'is too complicated: more than {LENGTH} operations')
        self.steps, self.depth = steps, depth      # depth: how much of a stack it takes

    __add__, __radd__ = _operators(operations.ADD)
    __sub__, __rsub__ = _operators(operations.SUBTRACT)
    __mul__, __rmul__ = _operators(operations.MULTIPLY)
    __truediv__, __rtruediv__ = _operators(operations.DIVIDE)
    __pow__, __rpow__ = _operators(operations.POWER)

    def __neg__(self) -> 'Term':
        return Term([*self.steps, (operations.NEGATE, 0.0)], self.depth)


VARIABLE = Term([(operations.VARIABLE, 0.0)], 1)


def term_of(value: float | str, names: Mapping[str, Any]) -> Term | float:
    """Return a number, or a Term if it is an expression with the variable in it.

    names: name -> number or Term.  Raises ExpressionError.
    """
    return parse(value, names, _FUNCTIONS) if isinstance(value, str) else float(value)


def program_of(term: Term | float) -> RecordArray:
    """Return the PROGRAM (one record) of a Term or a number."""
    term = _as_term(term)
    program = np.zeros((), PROGRAM)
    program['operations'] = _UNUSED
    for k, (operation, number) in enumerate(term.steps):
        program['operations'][k], program['numbers'][k] = operation, number
    return program


def jet(program: RecordArray, x: float) -> tuple[float, float, float]:
    """Return (value, derivative, second derivative) of a program at x."""
    stack = np.zeros((DEPTH, 3))
    operations.run(program['operations'], program['numbers'], float(x), stack)
    return tuple(stack[0])


def _as_term(value: Term | float) -> Term:
    return value if isinstance(value, Term) else Term([(operations.NUMBER, float(value))], 1)


def _join(operation: int, first: Term | float, second: Term | float) -> Term:
    first, second = _as_term(first), _as_term(second)
    return Term([*first.steps, *second.steps, (operation, 0.0)],
                max(first.depth, 1 + second.depth))


def _function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function for numbers and Terms alike."""
    def apply(*arguments: Any) -> Any:
        if not any(isinstance(argument, Term) for argument in arguments):
            return function(*arguments)
        if name in ('radians', 'degrees'):
            argument, = arguments
            return argument * function(1.0)
        operation = getattr(operations, name.upper())
        if operation <= operations.ABS:
            argument, = arguments
            return Term([*argument.steps, (operation, 0.0)], argument.depth)
        first, second, *others = arguments
        joined = _join(operation, first, second)
        return apply(joined, *others) if others else joined
    return apply


_FUNCTIONS = {name: _function(name, function) for name, function in FUNCTIONS.items()}


def motion_program(motion: float | str, parameters: dict[str, float]) -> RecordArray:
    """Return the PROGRAM of a motion, a number or an expression over t; raises ExpressionError."""
    return program_of(term_of(motion, parameters | {'t': VARIABLE}))


def check_prescribed(entries: Any, constraints: Mapping[str, Any], names: Sequence[str],
                     independent: Sequence[str] | None, parameters: dict[str, float]) -> None:
    """Note what is wrong in 'prescribed' constraints.

    names: all coordinates; independent may be None.
    """
    if entries.is_broken('parameters'):     # which motions may use
        return
    seen: list[str] = []
    for name, constraint in constraints.items():
        if constraint.kind == 'prescribed':
            with entries.noted(f'constraints.{name}'):
                _check(entries, name, constraint, names, seen, independent or (), parameters)
    if independent == () and not seen:
        with entries.noted('independent'):
            entries.fail('independent', '[] must be at least one coordinate')


def _check(entries: Entries, name: str, constraint: Any, names: Sequence[str], seen: list[str],
           independent: Sequence[str], parameters: dict[str, float]) -> None:
    """Check a 'prescribed' constraint; seen: coordinates of those before, this one is added."""
    path = f'constraints.{name}'
    coordinate = entries.one_of(f'{path}.coordinate', constraint.coordinate, names, 'coordinate')
    if coordinate in seen or coordinate in independent:
        entries.fail(f'{path}.coordinate', f'{coordinate} is prescribed twice'
                     if coordinate in seen else f'{coordinate} is independent: it cannot be '
                                                'prescribed as well')
    seen.append(coordinate)
    if 't' in parameters:
        entries.fail('parameters.t', 't is the time in the motion of prescribed coordinates')
    try:
        start = jet(motion_program(constraint.motion, parameters), 0.0)
    except ExpressionError as error:
        entries.fail(f'{path}.motion', f'{constraint.motion!r} {error}')
    if not all(isfinite(number) for number in start):
        entries.fail(f'{path}.motion', f'{constraint.motion!r} must have a value and two '
                                       'derivatives at t = 0')
