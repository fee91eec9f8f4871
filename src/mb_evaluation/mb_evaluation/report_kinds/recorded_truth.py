"""What of an estimate a recording can judge: forces, and readings that the filter was not given."""

from dataclasses import dataclass

import numpy as np

from mb_estimators import ImpossibleReadingError, make_filter
from mb_model import FreeOrientations


@dataclass(frozen=True)
class Judged:
    """A quantity whose truth is recorded, at k instants.

    constant: the simplest answer, to be bettered: zero for a force, the mean of all readings of a
    sensor, which only hindsight knows; deviation (k): of found - truth, NaN where the estimator
    gives none.
    """

    name: str
    unit: str
    constant: float
    stamps: np.ndarray          # (k) [ns]
    truth: np.ndarray           # (k)
    found: np.ndarray           # (k)
    deviation: np.ndarray       # (k)


def judge_forces(mechanism, truth, found):
    """Return a Judged for each degree of freedom.

    truth: stamp [ns] -> forces (g); found: stamp -> (forces (g), deviations (g) or nothing).
    """
    stamps = sorted(truth.keys() & found.keys())
    if not stamps:
        return []
    true, estimated, deviations = (np.array([value(stamp) for stamp in stamps]) for value in (
        truth.get, lambda stamp: found[stamp][0],
        lambda stamp: found[stamp][1] or [np.nan] * mechanism.g))
    return [Judged(f'unknown force on {name}', 'N m' if mechanism.unit(name) == 'rad' else 'N', 0.0,
                   np.array(stamps), true[:, k], estimated[:, k], deviations[:, k])
            for k, name in enumerate(mechanism.independent)]


def judge_readings(mechanism, sensor, readings, states):
    """Return a Judged for each channel of a sensor that the filter was not given.

    What it should read follows from the estimate, as the prediction of a filter that has this
    sensor alone.  readings: stamp [ns] -> values; states: samples of a Track.  Raises ValueError
    for a sensor that reads accelerations, which no state determines where forces are unknown, and
    where orientations are degrees of freedom.
    """
    if len(FreeOrientations(mechanism)):
        raise ValueError(f'{mechanism.name}: orientations are degrees of freedom, which readings '
                         'do not judge')
    if sensor.records['reads_accelerations'].any():
        raise ValueError(f'{sensor.name}: reads accelerations, which no estimate can be judged by')
    filter_ = make_filter('error_ekf', mechanism, [sensor], 1e-3, gate=0.0)
    states = [state for state in states if state[0] in readings]
    if not states:
        return []
    stamps, count, size = [], len(sensor.channels), 2 * mechanism.g
    true, found, deviation = (np.full((len(states), count), np.nan) for _ in range(3))
    for k, (stamp, z, zd, _, covariance, *_) in enumerate(states):
        stamps.append(stamp)
        true[k] = readings[stamp]
        filter_.reset(z, zd, covariance[:size, :size])
        try:
            fit = filter_.correct(true[k])
        except ImpossibleReadingError:
            continue
        found[k, fit.channels] = true[k, fit.channels] - fit.residual
        deviation[k, fit.channels] = np.sqrt(np.diagonal(fit.covariance))
    return [Judged(name, sensor.unit, float(np.nanmean(true[:, i])), np.array(stamps), true[:, i],
                   found[:, i], deviation[:, i]) for i, name in enumerate(sensor.channels)]
