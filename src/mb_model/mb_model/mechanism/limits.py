"""Where a mechanism leaves the limits of its coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_ROUNDING = 1e-9        # [rad or m]
_DEVIATIONS = 3.0       # by which a coordinate is surely beyond


def beyond_limits(mechanism: Any, q: ArrayLike, deviations: ArrayLike | None = None) -> list[str]:
    """Return a text for each coordinate that is beyond one of its limits at q (n).

    deviations (g): standard deviations of z, by three of which it has to be beyond.
    """
    position, spread = np.asarray(q, float), np.zeros(mechanism.n)
    limited = [(mechanism.coordinates.index(name), one)
               for name, one in mechanism.described.coordinates.items()
               if np.isfinite([one.lower, one.upper]).any()]
    if deviations is not None and limited:
        rates = mechanism.R(position) * np.asarray(deviations)
        spread = _DEVIATIONS * np.linalg.norm(rates, axis=1)
    texts = []
    for index, one in limited:
        value = position[index]
        side, limit = ('upper', one.upper) if value > one.upper else ('lower', one.lower)
        off = value - limit if side == 'upper' else limit - value
        if off > _ROUNDING + spread[index]:
            texts.append(f'{one.name} = {value:.4g} {one.unit} is {off:.3g} {one.unit} beyond its '
                         f'{side} limit, {limit:.4g} {one.unit}')
    return texts
