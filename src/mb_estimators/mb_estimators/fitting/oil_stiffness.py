"""How stiff the oil of a machine is: what pressures show of volumes and bulk moduli together."""

from typing import Any, NamedTuple

import numpy as np

from mb_estimators.fitting.oil_numbers import OilNumbers
from mb_model.arrays import FloatArray

_KNOWN = 5.0            # times as well as before
_CHANGE = 1e-5          # of the logarithm of a number, for derivatives


class KnownTogether(NamedTuple):
    """What is known of several numbers: in words, its value, and its deviation (1 sigma)."""

    text: str
    value: float
    deviation: float


def known_together(numbers: OilNumbers, s: FloatArray, covariance: FloatArray,
                   believed: FloatArray) -> tuple[KnownTogether, ...]:
    """Return what is known of the stiffness of lines and chambers at numbers s (p).

    covariance (p, p): of s after recordings; believed (p): deviations before.  Pressures depend on
    volumes and bulk moduli through V (1 / B_oil + 1 / B) of each line and 1 / B_oil + 1 / B of each
    barrel, but for free air.
    """
    names = tuple(stiffnesses(numbers.described(s)))
    at = np.log([*stiffnesses(numbers.described(s)).values()])
    slopes = np.array([(np.log([*stiffnesses(numbers.described(s + row)).values()]) - at) / _CHANGE
                       for row in _CHANGE * np.eye(len(s))]).T
    after = np.sqrt(np.einsum('ki,ij,kj->k', slopes, covariance, slopes))
    before = np.sqrt(np.square(slopes) @ np.square(believed))
    free = np.sum(slopes != 0.0, axis=1) > 1
    return tuple(KnownTogether(name, float(np.exp(value)), float(np.exp(value) * deviation))
                 for name, value, deviation, known in zip(
                     names, at, after, free & (_KNOWN * after < before), strict=True) if known)


def stiffnesses(described: Any) -> dict[str, float]:
    """Return what pressures show of the volumes and bulk moduli of a Hydraulics, by its text."""
    def softness(modulus: float) -> float:
        return 1.0 / described.oil.bulk_modulus + 1.0 / modulus
    lines = {f'{name}: volume (1 / bulk modulus of oil + 1 / of line) [m^3/Pa]':
             volume.volume * softness(volume.bulk_modulus)
             for name, volume in described.volumes.items()}
    return lines | {f'{name}: bulk modulus of oil and barrel together [Pa]':
                    1.0 / softness(cylinder.bulk_modulus)
                    for name, cylinder in described.cylinders.items()}
