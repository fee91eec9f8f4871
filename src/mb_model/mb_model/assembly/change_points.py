"""Where a motion from the start meets other branches, or ends: one degree of freedom at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.mechanism_file.description import MechanismError

_STEP = 0.1             # of a degree of freedom [rad, or sizes of the mechanism]
_FAR = pi               # the most
_DIP = 0.1              # a singularity below which a minimum is looked for between steps
_NEAR = 1e-2            # and below which it is a change point
_HALVES = 10            # of a step, to the value itself
_BEYOND = 0.02          # of a degree of freedom: whether it closes so far beyond a value
_ITERATIONS = 60        # to that, the most
_MOST = 8               # degrees of freedom, the most


@dataclass(frozen=True)
class ChangePoint:
    """A value of a degree of freedom where branches meet; ends: where it closes no further."""

    coordinate: str
    value: float
    ends: bool


def change_points(mechanism: Any) -> Iterator[ChangePoint]:
    """Yield the ChangePoints that each degree of freedom alone meets from the start, both ways.

    Up to half a turn, a size of the mechanism, or a limit.  None of mechanisms with many degrees of
    freedom, sparse matrices or coordinates that the file prescribes.
    """
    if mechanism.is_sparse or mechanism.g > _MOST or mechanism.described.prescribed:
        return
    for k, name in enumerate(mechanism.independent):
        one = mechanism.described.coordinates.get(name)
        if one is None or one.is_free or one.kind == 'orientation':
            continue
        scale = float(mechanism.model['scale'][0, mechanism.coordinates.index(name)])
        lower, upper = one.lower, one.upper
        points = [*_along(mechanism, k, -_STEP * scale, max(lower, mechanism.z0[k] - _FAR * scale)),
                 *_along(mechanism, k, _STEP * scale, min(upper, mechanism.z0[k] + _FAR * scale))]
        for value, ends in sorted(points):
            yield ChangePoint(name, value, ends)


def _along(mechanism: Any, k: int, step: float, last: float) -> Iterator[tuple[float, bool]]:
    """Yield (value, whether it closes no further) on the way of a degree of freedom to `last`."""
    z, near = mechanism.z0.copy(), mechanism.q0
    before = [(float(z[k]), mechanism.singularity(near), near)]
    while (last - z[k]) * np.sign(step) > 0.0:
        z[k] = min(z[k] + step, last) if step > 0.0 else max(z[k] + step, last)
        try:
            near = mechanism.assemble(z, near)
        except MechanismError:
            value, at = _end(mechanism, k, before[-1][2], float(z[k]))
            yield value, not _goes_on(mechanism, k, at, before[-1][2])
            return
        before = [*before[-2:], (float(z[k]), mechanism.singularity(near), near)]
        if len(before) == 3 and before[1][1] < _DIP and (
                before[0][1] >= before[1][1] <= before[2][1]):
            value, least = _least(mechanism, k, before[0][2], before[0][0], before[2][0])
            if least < _NEAR:
                yield value, False


def _goes_on(mechanism: Any, k: int, at: FloatArray, before: FloatArray) -> bool:
    """Return whether it closes beyond the position `at` (n), on the way there from `before`."""
    index = mechanism.indices(mechanism.independent)[k]
    far = at[index] - before[index]
    share = _BEYOND * mechanism.model['scale'][0, index] / max(abs(far), 1e-9)
    try:
        mechanism.closed_from(at + share * (at - before), _ITERATIONS)
    except MechanismError:
        return False
    return True


def _end(mechanism: Any, k: int, near: FloatArray, beyond: float) -> tuple[float, FloatArray]:
    """Return the last value to which it closes, between a position's (n) and one beyond, and q."""
    z = near[mechanism.indices(mechanism.independent)]
    inside = float(z[k])
    for _ in range(_HALVES):
        z[k] = 0.5 * (inside + beyond)
        try:
            near = mechanism.assemble(z, near)
            inside = float(z[k])
        except MechanismError:
            beyond = float(z[k])
    return inside, near


def _least(mechanism: Any, k: int, near: FloatArray, first: float, last: float
           ) -> tuple[float, float]:
    """Return (value, singularity) where that is least between two values; by thirds."""
    z = near[mechanism.indices(mechanism.independent)]

    def at(value: float) -> float:
        z[k] = value
        try:
            return float(mechanism.singularity(mechanism.assemble(z, near)))
        except MechanismError:
            return 0.0

    for _ in range(2 * _HALVES):
        third = (last - first) / 3.0
        if at(first + third) < at(last - third):
            last -= third
        else:
            first += third
    value = 0.5 * (first + last)
    return value, at(value)
