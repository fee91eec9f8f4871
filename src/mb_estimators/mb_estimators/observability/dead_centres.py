"""Dead centres of readings along a motion: where they fit both sides of a mechanism alike.

Readings of positions, y(z), stand still where y_z loses rank: a degree of freedom moves and they do
not, as a block does where crank and rod are in line.  To first order they are the same on both
sides.  On the wrong side a filter has the wrong sign of the slope y_z, and so gets lost, though the
whole motion determines every state.  Readings of rates do not bring it back.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.observability.local import jacobians_along
from mb_estimators.observability.states import relative, sizes_of
from mb_model import Run
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import Sensor

_STILL = 0.05       # of the largest derivative of a reading along the motion
_RANK = 1e-6        # the same, where readings never determine more


@dataclass(frozen=True)
class DeadCentre:
    """An instant t [s] at z (g), in which a coordinate moves and readings of positions stand still.

    distinguished_by: names of other sensors of the mechanism whose readings distinguish the sides.
    """

    t: float
    z: np.ndarray
    coordinate: str
    distinguished_by: tuple[str, ...]


def dead_centres(run: Run, chosen: Sequence[Sensor],
                 others: Sequence[Sensor]) -> tuple[DeadCentre, ...]:
    """Return the DeadCentres of a Run, a tuple, for the readings of the Sensors chosen.

    others: Sensors that might help.  Raises FilterError at a singular position.
    """
    mechanism, everyone = run.mechanism, [*chosen, *others]
    g = mechanism.g
    by_z = relative(jacobians_along(run, everyone)[:, :, :g] * sizes_of(mechanism), (0, 2))
    records = np.concatenate([sensor.records for sensor in everyone])
    names = np.repeat([sensor.name for sensor in everyone], [len(s.records) for s in everyone])
    reads_positions = (records['reads_velocities'] == 0) & (records['reads_accelerations'] == 0)
    used = np.isin(names, [sensor.name for sensor in chosen])
    if not (reads_positions & used).any():
        return ()
    _, values, directions = np.linalg.svd(by_z[:, reads_positions & used])
    least = int(np.count_nonzero(values.max(axis=0) > _RANK)) - 1
    centres = []
    for k in _crossings(values[:, least]) if least >= 0 else ():
        direction = directions[k, least]
        distinct = reads_positions & ~used & (np.abs(by_z[k] @ direction) > _STILL)
        centres.append(DeadCentre(
            float(run.t[k]), run.z[k].copy(), mechanism.independent[np.argmax(np.abs(direction))],
            tuple(dict.fromkeys(names[distinct].tolist()))))
    return tuple(centres)


def _crossings(value: FloatArray) -> IntArray:
    """Return the instants at which a value (k) >= 0 comes to zero, or passes between two of them.

    There it is small, or smaller than its change from one instant to the next.
    """
    padded = np.concatenate([[np.inf], value, [np.inf]])
    before, after = padded[:-2], padded[2:]
    change = np.fmax(*(np.where(np.isfinite(other), other - value, 0.0)
                       for other in (before, after)))
    return np.flatnonzero((value < before) & (value <= after)
                          & (value <= np.maximum(change, _STILL * value.max())))
