"""How much is added to a matrix, step by step, until it has a Cholesky factor."""

_ROUNDING = 1e-15         # of a variance
_ATTEMPTS = 8


def _shares():
    found = [0.0]
    while len(found) < _ATTEMPTS:
        found.append(max(_ROUNDING, 10.0 * found[-1]))
    return tuple(found)


# Shares of the variances before rounding, to be tried in turn: nothing, rounding, ten times as much
SHARES = _shares()
