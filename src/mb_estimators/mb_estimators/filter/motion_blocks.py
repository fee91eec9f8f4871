"""Blocks of states of the motion: z, zd and further derivatives."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.filter.layout import Block
from mb_model import Mechanism

MOTION = ('position', 'velocity', 'acceleration')       # blocks that a given covariance is of
_ORDERS = (*MOTION, 'jerk')
RATES = ('', '/s', '/s^2', '/s^3')                      # in units of derivatives


def motion_blocks(mechanism: Mechanism, variances: Sequence[float]) -> list[Block]:
    """Return blocks of z, of zd, and so on, one for each of the variances at the start.

    States of filters that run the model freely are the errors of these.
    """
    units = [mechanism.unit(name) for name in mechanism.independent]
    return [Block(kind, tuple(f'{name} {kind}' if order else name
                              for name in mechanism.independent),
                  tuple(unit + RATES[order] for unit in units), np.full(mechanism.g, variance))
            for order, (kind, variance) in enumerate(zip(_ORDERS, variances, strict=False))]
