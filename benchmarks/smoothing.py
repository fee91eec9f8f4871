"""What a smoother gains over its filter: four-bar linkage, one sensor at a time.

10 s at 200 Hz, gravity of the model 1 m/s^2 and its start pi/16 wrong, mean over noise seeds.  A
smoother believes in the noise of its filter's model: to ukf wrong gravity is white noise, which
misleads it with a gyroscope; to error_ekf_fe it is a force, which later readings show as well.
"""

from itertools import product

import numpy as np

from benchmarks.cases import QUANTITIES, SEEDS, STEP, over_cases, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.review_reference import SENSORS
from mb_estimators import make_filter, smooth

FILTERS = ('error_ekf_fe', 'ukf')


def measure():
    """Return the errors of each smoother beside its filter's."""
    return [Figure(f'{sensor}: {name} smoothed, {text}', smoothed[k], unit, filtered[k],
                   peer='filter', peer_value=filtered[k])
            for (name, sensor), (filtered, smoothed) in over_cases(
                errors, product(FILTERS, SENSORS)).items()
            for k, (text, unit) in enumerate(QUANTITIES.values())]


def errors(name, sensor):
    """Return the means of QUANTITIES over all seeds, of the filter and of the smoother."""
    experiment = wrong_gravity(sensor)
    rows = []
    for seed in SEEDS:
        filter_ = make_filter(name, experiment.mechanism, experiment.sensors, STEP)
        smoothed = smooth(filter_, experiment.recording(seed), STEP)
        rows.append([[np.mean(getattr(track, quantity)) for quantity in QUANTITIES]
                     for track in (smoothed.filtered, smoothed.motion)])
    return np.mean(rows, axis=0).tolist()
