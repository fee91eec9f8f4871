"""Coordinates that a mechanism file prescribes as functions of time."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from mb_model.arrays import RecordArray
from mb_model.mechanism_file.expressions import ExpressionError
from mb_model.mechanism_file.programs import VARIABLE, jet, program_of, term_of


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


def _check(entries, name, constraint, names, seen, independent, parameters):
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
