"""How often the status of an estimator would call a sensor inconsistent."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.consistency.consistency_settings import ConsistencySettings
from mb_estimators.consistency.window import ConsistencyWindow
from mb_estimators.filter import FilterError, Innovation
from mb_estimators.observation import Observation
from mb_model.arrays import IntArray
from mb_sensors import Sensor


def inconsistent_share(sensors: Sequence[Sensor], stamps: IntArray,
                       observed: Observation) -> float:
    """Return the share of judgements with a verdict on any sensor.

    As a running estimator judges, once in a period, the innovations of an Observation at stamps (k)
    [ns].  Each judgement counts once; one of too few readings, which says nothing, does not.
    Raises FilterError where there is no judgement.
    """
    window, found = ConsistencyWindow(sensors, ConsistencySettings()), []
    judged = window.judgement
    for k, stamp in enumerate(stamps.tolist()):
        there = np.flatnonzero(np.isfinite(observed.innovation[k]))
        if not there.size:
            continue
        window.add(stamp, Innovation(
            there, observed.innovation[k, there],
            observed.innovation_covariance[k][np.ix_(there, there)], float(observed.nis[k]),
            np.array([], np.int64)))
        if window.judgement is not judged:
            judged = window.judgement
            if any(one.count > 1 for one in judged):
                found.append(any(one.verdict for one in judged))
    if not found:
        raise FilterError('observation: too few innovations for a judgement, expected two at '
                          'least, a period apart')
    return float(np.mean(found))
