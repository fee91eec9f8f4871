"""What floating-point numbers cannot do with a mechanism, as an error of the mechanism."""

from contextlib import contextmanager

import numpy as np

from mb_model.mechanism_file.description import MechanismError


@contextmanager
def computable(file):
    """Raise MechanismError, naming the file, where numbers are too large or too small together."""
    try:
        with np.errstate(all='ignore'):
            yield
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise MechanismError(f'{file}: cannot be computed ({error}): some of its numbers are too '
                             'large or too small beside others') from error
