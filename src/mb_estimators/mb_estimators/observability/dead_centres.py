"""Dead centres of readings along a motion: where they fit both sides of a mechanism alike.

Readings of places, y(z), stand still where y_z loses rank: a degree of freedom moves and they do
not, as a block does where crank and rod are in line.  To first order they are the same on both
sides.  On the wrong side a filter has the wrong sign of the slope y_z, and so gets lost, though the
whole motion determines every state.  Readings of rates do not bring it back.
"""

from dataclasses import dataclass

import numpy as np

from mb_estimators.observability.local import jacobians_along

_STILL = 0.05       # of the largest derivative of a reading along the motion
_RANK = 1e-6        # the same, where readings never determine more


@dataclass(frozen=True)
class DeadCentre:
    """An instant t [s] at z (g), in which a coordinate moves and readings of places stand still.

    distinguished_by: names of other sensors of the mechanism whose readings distinguish the sides.
    """

    t: float
    z: np.ndarray
    coordinate: str
    distinguished_by: tuple[str, ...]


def dead_centres(run, chosen, others):
    """Return the DeadCentres of a Run, a tuple, for the readings of the Sensors chosen.

    others: Sensors that might help.  Raises FilterError at a singular position.
    """
    mechanism, everyone = run.mechanism, [*chosen, *others]
    g = mechanism.g
    size = mechanism.model['scale'][0, mechanism.model['independent'][0, :g]]
    by_z = _of_largest(jacobians_along(run, everyone)[:, :, :g] * size)
    records = np.concatenate([sensor.records for sensor in everyone])
    names = np.repeat([sensor.name for sensor in everyone], [len(s.records) for s in everyone])
    places = (records['reads_velocities'] == 0) & (records['reads_accelerations'] == 0)
    used = np.isin(names, [sensor.name for sensor in chosen])
    if not (places & used).any():
        return ()
    _, values, directions = np.linalg.svd(by_z[:, places & used])
    least = int(np.count_nonzero(values.max(axis=0) > _RANK)) - 1
    found = []
    for k in _crossings(values[:, least]) if least >= 0 else ():
        way = directions[k, least]
        distinct = places & ~used & (np.abs(by_z[k] @ way) > _STILL)
        found.append(DeadCentre(
            float(run.t[k]), run.z[k].copy(), mechanism.independent[np.argmax(np.abs(way))],
            tuple(dict.fromkeys(names[distinct].tolist()))))
    return tuple(found)


def _of_largest(jacobian):
    """Return the derivatives of readings (k, channels, g) over their largest along the motion."""
    largest = np.abs(jacobian).max(axis=(0, 2))[:, None]
    return np.divide(jacobian, largest, out=np.zeros_like(jacobian), where=largest > 0.0)


def _crossings(value):
    """Return the instants at which a value (k) >= 0 comes to zero, or passes between two of them.

    There it is small, or smaller than its change from one instant to the next.
    """
    padded = np.concatenate([[np.inf], value, [np.inf]])
    before, after = padded[:-2], padded[2:]
    change = np.fmax(*(np.where(np.isfinite(other), other - value, 0.0)
                       for other in (before, after)))
    return np.flatnonzero((value < before) & (value <= after)
                          & (value <= np.maximum(change, _STILL * value.max())))
