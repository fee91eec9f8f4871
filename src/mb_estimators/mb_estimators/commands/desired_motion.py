"""Desired motions on a command line: expressions over the time."""

import numpy as np

from mb_model.file_api import ExpressionError
from mb_model.kernel_api import jet, motion_program


def desired_motion(mechanism, expressions, t):
    """Return z (k, g) at the times t (k) [s].

    expressions: degree of freedom -> number or expression over t, with the parameters of the
    mechanism file.  Raises ValueError.
    """
    freedom = ', '.join(mechanism.independent)
    for name in expressions:
        if name not in mechanism.independent:
            raise ValueError(f'--motion {name}: must be a degree of freedom: {freedom}')
    for name in mechanism.independent:
        if name not in expressions:
            raise ValueError(f'--motion: {name} is missing, one is needed for each of {freedom}')
    return np.column_stack([_values(name, expressions[name], mechanism, t)
                            for name in mechanism.independent])


def _values(name, expression, mechanism, t):
    try:
        program = motion_program(expression, dict(mechanism.described.parameters))
    except ExpressionError as error:
        raise ValueError(f'--motion {name}={expression}: {error}') from None
    values = np.array([jet(program, time)[0] for time in t])
    if not np.isfinite(values).all():
        first = t[np.flatnonzero(~np.isfinite(values))[0]]
        raise ValueError(f'--motion {name}={expression}: has no value at t = {first:g} s')
    return values
