"""How often the status of an estimator would call a sensor inconsistent."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.consistency.consistency_settings import ConsistencySettings
from mb_estimators.consistency.window import ConsistencyWindow
from mb_estimators.filter import Innovation
from mb_estimators.observation import Observation
from mb_model.arrays import IntArray
from mb_sensors import NANOSECONDS, Sensor


def inconsistent_share(sensors: Sequence[Sensor], stamps: IntArray,
                       observed: Observation) -> float:
    """Return the share of judgements, one a second, with a verdict on any sensor.

    As a running estimator judges the innovations of an Observation at stamps (k) [ns].
    """
    window, said, period = ConsistencyWindow(sensors, ConsistencySettings()), [], -1
    for k, stamp in enumerate(stamps.tolist()):
        there = np.flatnonzero(np.isfinite(observed.innovation[k]))
        if not there.size:
            continue
        window.add(stamp, Innovation(
            there, observed.innovation[k, there],
            observed.innovation_covariance[k][np.ix_(there, there)], float(observed.nis[k]),
            np.array([], np.int64)))
        if stamp // NANOSECONDS != period:
            period = stamp // NANOSECONDS
            said.append(any(one.verdict for one in window.judgement))
    return float(np.mean(said))
