"""Errors of filters, and the mechanisms that are too large for them."""

from mb_model import Mechanism
from mb_model.record import LARGEST_DENSE


class FilterError(ValueError):
    """A filter that cannot be made as asked for; the text says why."""


class DivergenceError(ArithmeticError):
    """A filter that cannot go on from where it is; the text says what went wrong."""


class NotConvergedError(DivergenceError):
    """An iteration that ended before its solution; the text says where and how far from it."""


class ImpossibleReadingError(ValueError):
    """Readings that fit no state of the mechanism; the filter is as it was without them."""


def require_dense(mechanism: Mechanism, what: str) -> None:
    """Raise FilterError, naming its size, for a mechanism whose matrices are without their zeros.

    what: needs full ones, for exact derivatives.
    """
    if not mechanism.is_sparse:
        return
    model = mechanism.model[0]
    size = f'{model["n_total"]} coordinates, fixed points included, and {model["m"]} equations'
    if max(model['n_total'], model['m']) > LARGEST_DENSE:
        raise FilterError(f'{mechanism.file}: too large for {what}: {size}, expected at most '
                          f'{LARGEST_DENSE} of each')
    raise FilterError(f'{mechanism.file}: storage: sparse, with {size}: {what} needs dense')
