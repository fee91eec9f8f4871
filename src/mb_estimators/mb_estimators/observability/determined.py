"""Which degrees of freedom readings determine when forces are unknown.

A filter that estimates forces, or knows no dynamics, follows any acceleration.  Readings then have
to determine the position by the kinematics alone: an encoder does, a gyroscope does not.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

import numpy as np

from mb_estimators.filter import Filter, FilterError, follows_any_acceleration
from mb_estimators.observability.local import jacobians_along
from mb_estimators.observability.states import by_biases, relative, sizes_of
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_sensors import Sensor, sensors_of

_ORDERS = 2, 4          # how often readings are differentiated, without biases and with them
_NODES, _STEP = 9, 0.03         # instants of the motion, and their distance [s]
_AMPLITUDES = 0.5, 0.05         # of the motion [sizes]
_TOLERANCE = 1e-6       # of the largest singular value: smaller ones are rounding
_PART = 1e-3            # of a coordinate in a direction that is not determined
NOT_JUDGED = ('not judged: the mechanism cannot be moved near its start',)    # in place of names


@dataclass(frozen=True)
class _Motion:
    """Positions q (k, n), zd and zdd (k, g) of a Mechanism."""

    mechanism: Mechanism
    t: np.ndarray
    q: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray


def undetermined_by(filter_: Filter, mechanism: Mechanism, sensors: Sequence[Sensor]) -> tuple[str,
                    ...]:
    """Return the names of the degrees of freedom that a filter knows by its model alone, a tuple.

    sensors: Sensors that it reads.  For a filter that follows any acceleration the `undetermined`
    ones; other filters rely on the model's forces, and their innovations show an error.
    """
    if not follows_any_acceleration(filter_, mechanism.g):
        return ()
    return undetermined(mechanism, sensors)


def undetermined_text(names: Sequence[str], sensors: Iterable[str]) -> str:
    """Return in words that degrees of freedom, by names, are not determined; empty for none.

    names: as `undetermined` gives them; sensors: names of the ones that are used.
    """
    if not names:
        return ''
    used = ', '.join(sensors) or 'any sensor'
    if tuple(names) == NOT_JUDGED:
        return (f'whether {used} determine the degrees of freedom while forces are unknown is '
                f'{NOT_JUDGED[0]}')
    return (f'not determined by {used} while forces are unknown: {", ".join(names)}; '
            'intervals hold only as far as the model is right')


def undetermined(mechanism: Mechanism, sensors: Iterable[str | Sensor]) -> tuple[str, ...]:
    """Return the names of the degrees of freedom that sensors do not determine, a tuple.

    sensors: names or Sensors; their readings are exact here but for constant biases of Sensors
    with a bias_sigma, and known with derivatives, with biases up to the fourth; forces, and with
    them accelerations, are any function of time.  Judged at a motion without
    symmetry near the start of the mechanism; where it cannot move: NOT_JUDGED.
    """
    chosen = [sensor for sensor in sensors_of(mechanism, sensors) if len(sensor.records)]
    if not chosen:
        return tuple(mechanism.independent)
    g, by_change = mechanism.g, None
    for amplitude in _AMPLITUDES:
        with suppress(MechanismError, FilterError):     # out of reach, or singular there
            by_change = _taylor_jacobian(_motion_near(mechanism, amplitude), chosen)
            break
    if by_change is None:
        return NOT_JUDGED
    _, values, directions = np.linalg.svd(by_change)
    there = np.zeros(len(directions), bool)
    there[:len(values)] = values > _TOLERANCE * values.max(initial=1e-300)
    lost = np.abs(directions[~there, :g]).max(axis=0, initial=0.0) > _PART
    return tuple(name for name, one in zip(mechanism.independent, lost, strict=True)
                 if one and name not in mechanism.force_states)


def _motion_near(mechanism: Mechanism, amplitude: float) -> _Motion:
    """Return a _Motion through the start, each degree of freedom at its own pace [sizes/s].

    Raises MechanismError.
    """
    g = mechanism.g
    size = sizes_of(mechanism)
    t = _STEP * (np.arange(_NODES) - _NODES // 2)
    pace = 1.0 + 0.37 * np.arange(g)                            # [1/s]
    ahead = pace * t[:, None]
    z, zd, zdd = (amplitude * size * course for course in (
        np.sin(ahead) + 0.4 * ahead ** 2, pace * (np.cos(ahead) + 0.8 * ahead),
        pace ** 2 * (0.8 - np.sin(ahead))))
    near, q = None, []
    for row in z:
        near = mechanism.assemble(mechanism.z0 + row, near=near)
        q.append(near)
    return _Motion(mechanism, t, np.array(q), zd, zdd)


def _taylor_jacobian(motion: Any, sensors: Sequence[Sensor]) -> FloatArray:
    """Return the Jacobian of derivatives of readings by derivatives of z and by biases.

    Rows: derivatives of the channels, in units of their largest; columns: all of z, then of its
    derivatives up to two more, then biases, each in the unit of its channel's row.
    """
    offsets = by_biases(sensors)
    g, orders = motion.mechanism.g, _ORDERS[offsets.shape[1] > 0] + 1
    H = jacobians_along(motion, sensors)
    courses = np.linalg.inv(np.vander(motion.t / _STEP, increasing=True))[:orders]
    slopes = [factorial(i) / _STEP ** i * np.tensordot(courses[i], H, 1) for i in range(orders)]
    rows = np.zeros((orders, H.shape[1], orders + 2, g))
    for i in range(orders):
        for j in range(i + 1):
            for order, part in enumerate(np.split(slopes[i - j], 3, axis=1)):
                rows[i, :, j + order] += comb(i, j) * part
    flat = rows.reshape(orders * H.shape[1], -1)
    still = np.zeros((len(flat) - len(offsets), offsets.shape[1]))      # derivatives of biases
    return np.hstack([relative(flat, 1), np.vstack([offsets, still])])
