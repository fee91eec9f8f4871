"""A mechanism whose matrices are stored without their zeros, with matrices stored in full."""

from typing import Any

from mb_model.mechanism_file.description import MechanismError
from mb_model.record import LARGEST_DENSE


def in_full(mechanism: Any, what: str) -> Any:
    """Return a Mechanism with matrices stored in full: itself, or another one of the same file.

    For exact derivatives, which sparse storage has not.  It has the same coordinates and degrees of
    freedom.  Raises MechanismError, which names `what`, beyond what can be stored, and where the
    storage was asked for.
    """
    if not mechanism.is_sparse:
        return mechanism
    model = mechanism.model[0]
    n, m = int(model['n_total']), int(model['m'])
    if mechanism.storage is not None or max(n, m) > LARGEST_DENSE:
        storage = 'storage: sparse: ' if mechanism.storage is not None else ''
        raise MechanismError(
            f'{mechanism.file}: {what}: {storage}only for mechanisms with dense storage, up to '
            f'{LARGEST_DENSE} coordinates, of fixed points included, and equations; this one has '
            f'{n} and {m}')
    if '_full' not in vars(mechanism):
        raw = mechanism.raw | {'independent': list(mechanism.independent)}
        vars(mechanism)['_full'] = type(mechanism)(raw, mechanism.file, 'dense')
    return vars(mechanism)['_full']
