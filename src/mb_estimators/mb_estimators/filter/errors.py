"""Errors of filters, and why they occur: mechanisms too large for them, steps too long."""

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.record import LARGEST_DENSE

NO_STEP = 'the model has no position, or no covariance, to step to'


class FilterError(ValueError):
    """A filter that cannot be made as asked for; the text says why."""


class DivergenceError(ArithmeticError):
    """A filter that cannot go on from where it is; the text says what went wrong."""


class NotConvergedError(DivergenceError):
    """An iteration that ended before its solution; the text says where and how far from it."""


class ImpossibleReadingError(ValueError):
    """Readings that fit no state of the mechanism; the filter is as it was without them."""


def in_full(mechanism: Mechanism, what: str) -> Mechanism:
    """Return a mechanism with matrices stored in full, see Mechanism.in_full.

    what: needs them, for exact derivatives.  Raises FilterError, naming the size, for one that is
    too large, or whose storage was asked for.
    """
    try:
        return mechanism.in_full(what)
    except MechanismError as error:
        model, why = mechanism.model[0], str(error)
    size = f'{model["n_total"]} coordinates, fixed points included, and {model["m"]} equations'
    if max(model['n_total'], model['m']) > LARGEST_DENSE:
        raise FilterError(f'{mechanism.file}: too large for {what}: {size}, expected at most '
                          f'{LARGEST_DENSE} of each')
    if mechanism.storage is None:
        raise FilterError(why)
    raise FilterError(f'{mechanism.file}: storage: sparse, with {size}: {what} needs dense')


def why_no_step(mechanism: Mechanism, dt: float, explicit: bool) -> str:
    """Return in words why a model cannot step by dt [s]; explicit: by forward Euler.

    An error that decays with the rate r [1/s] becomes 1 - r dt of itself: it grows beyond r dt = 2.
    r is the fastest one at the start of the mechanism.
    """
    rate = _fastest_decay(mechanism) if explicit else 0.0
    if rate * dt <= 2.0:
        return NO_STEP
    return (f'{NO_STEP}: explicit steps of {dt:g} s are unstable where a motion decays with '
            f'{rate:.3g}/s, as of {mechanism.name}; expected dt below {2.0 / rate:.2g} s, or a '
            'filter with implicit steps, such as dekf_exponential')


def _fastest_decay(mechanism: Mechanism) -> float:
    """Return how fast a motion decays at the start of a mechanism at most [1/s]."""
    try:
        A, B = mechanism.linearise(mechanism.z0, mechanism.zd0)
    except MechanismError:
        return 0.0
    g = mechanism.g
    rates = np.linalg.eigvals(np.block([[np.zeros((g, g)), np.eye(g)], [A, B]]))
    return max(0.0, -float(rates.real.min()))
