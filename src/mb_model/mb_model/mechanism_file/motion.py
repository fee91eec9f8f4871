"""Coordinates that a mechanism file prescribes as functions of time."""

from math import isfinite

from mb_model.mechanism_file.expressions import ExpressionError
from mb_model.mechanism_file.programs import VARIABLE, jet, program_of, term_of


def motion_program(motion, parameters):
    """Return the PROGRAM of a motion, a number or an expression over t; raises ExpressionError."""
    return program_of(term_of(motion, parameters | {'t': VARIABLE}))


def check_prescribed(entries, constraints, names, independent, parameters):
    """Check what 'prescribed' constraints say; names: all coordinates; independent may be None."""
    seen = []
    for name, constraint in constraints.items():
        if constraint.kind != 'prescribed':
            continue
        path = f'constraints.{name}'
        coordinate = entries.one_of(f'{path}.coordinate', constraint.coordinate, names,
                                    'coordinate')
        if coordinate in seen or coordinate in (independent or ()):
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
    if independent == () and not seen:
        entries.fail('independent', '[] must be at least one coordinate')
