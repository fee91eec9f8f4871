"""Refuses mechanisms that are too large for filters and factor graphs."""

from mb_estimators.filter.errors import FilterError
from mb_model import Mechanism
from mb_model.record import LARGEST_DENSE


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
