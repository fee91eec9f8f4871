"""What is known of a motion from readings: by an estimator, late ones too, or by differences.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mb_estimators import EstimateStream, StreamSettings, make_filter, observe
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import Sensor

ESTIMATOR = 'platform_ekf'


class Observed(NamedTuple):
    """Estimates (k) in the order in which they become known.

    stamps, known [ns]: of the instant, and arrival of its last reading; z, zd, zdd (k, g);
    covariance (k, 3 g, 3 g); q (k, n), None where it was not kept.
    """

    stamps: np.ndarray
    known: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    covariance: np.ndarray
    q: np.ndarray | None


def observe_arrivals(mechanism: Mechanism, sensors: Sequence[Sensor],
                     readings: Iterable[tuple[int, str, int, FloatArray]], dt: float,
                     stream: Mapping[str, Any] | None = None, **settings: Any) -> Observed:
    """Run an EstimateStream of platform_ekf over readings as they arrive; return Observed.

    sensors: Sensors; readings: see in_order_of_arrival; dt: longest step [s]; stream:
    StreamSettings by name; settings: of the filter.  Raises ValueError, DivergenceError.
    """
    observer = make_filter(ESTIMATOR, mechanism, sensors, dt, **settings)
    estimates = EstimateStream(observer, sensors, (mechanism.z0, mechanism.zd0),
                               StreamSettings(dt=dt, **(stream or {})))
    rows = []
    for arrival, sensor, stamp, values in readings:
        for step in estimates.add(sensor, stamp, values):
            estimate = step.estimate
            rows.append((step.stamp, arrival, estimate.z, estimate.zd, estimate.zdd,
                         estimate.covariance[:3 * mechanism.g, :3 * mechanism.g], estimate.q))
    return Observed(*(np.array(values) for values in zip(*rows, strict=True)))


def observe_at_once(mechanism: Mechanism, sensors: Sequence[Sensor], stamps: IntArray,
                    readings: Sequence[FloatArray], dt: float, **settings: Any) -> Observed:
    """Run platform_ekf over readings that are never late, [(k, channels) of each]; return Observed.

    stamps (k) [ns]; otherwise as observe_arrivals.
    """
    observer = make_filter(ESTIMATOR, mechanism, sensors, dt, **settings)
    seen, states = observe(observer, stamps, np.hstack(readings), dt), 3 * mechanism.g
    return Observed(stamps, stamps, seen.z, seen.zd, seen.zdd,
                    np.ascontiguousarray(seen.covariance[:, :states, :states]), None)


def differentiate(mechanism: Mechanism, stamps: IntArray, drives: FloatArray) -> Observed:
    """Return Observed of readings of the drives (k, d): poses, and the slopes between two.

    Velocities come from forward kinematics, neither filtered nor late, as a momentum observer
    has them in Mohammad et al. 2025; there are no accelerations (zeros) and no covariance.
    stamps (k) [ns].  Raises MechanismError.
    """
    q = [mechanism.forward_kinematics(mechanism.drives, drives[0])]
    for row in drives[1:]:
        q.append(mechanism.forward_kinematics(mechanism.drives, row, near=q[-1]))
    q = np.array(q)
    z = q[:, mechanism.indices(mechanism.independent)]
    zd = np.zeros_like(z)
    zd[1:] = np.diff(z, axis=0) / (1e-9 * np.diff(stamps))[:, None]
    return Observed(stamps, stamps, z, zd, np.zeros_like(z), np.empty((len(z), 0, 0)), q)
