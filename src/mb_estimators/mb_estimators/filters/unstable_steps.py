"""Why a filter cannot step: explicit steps that are too long for the model's dampers."""

from typing import Any

import numpy as np

from mb_model import MechanismError

NO_STEP = 'the model has no position, or no covariance, to step to'


def why_no_step(mechanism: Any, dt: float, explicit: bool) -> str:
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


def _fastest_decay(mechanism):
    """Return how fast a motion decays at the start of a mechanism at most [1/s]."""
    try:
        A, B = mechanism.linearise(mechanism.z0, mechanism.zd0)
    except MechanismError:
        return 0.0
    g = mechanism.g
    rates = np.linalg.eigvals(np.block([[np.zeros((g, g)), np.eye(g)], [A, B]]))
    return max(0.0, -float(rates.real.min()))
