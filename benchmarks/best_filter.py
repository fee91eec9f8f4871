"""Our best filters beside the best position figures that the review's filters reach after 2 s.

Four-bar linkage, one sensor at a time, mean over noise seeds that nothing was tuned on.  Of ours:
error_ekf_fe with the published tuning and with the tuned one of mb_bringup's config, and
augmented_ekf, which is told that gravity may be wrong.
"""

from pathlib import Path

import yaml

from benchmarks.cases import Case, measure_all
from benchmarks.figures import Figure
from benchmarks.review_reference import REFERENCE, SENSORS

CONFIG = Path(__file__).resolve().parents[1] / 'src' / 'mb_bringup' / 'config'
GRAVITY = {'parameters': ['gravity.y']}


def measure():
    """Return one figure for each sensor and filter; the best filter has the target."""
    cases = [case for sensor in SENSORS for case in sensor_cases(sensor)]
    results = measure_all([case for _, case in cases])
    figures = []
    for (label, case), found in zip(cases, results, strict=True):
        name, published = best_published(case.sensors)
        figures.append(Figure(
            f'{case.sensors}: {case.filter}, {label}', found['position_rmse_after_2s'].mean(),
            'rad', published, peer=f'review: {name}', peer_value=published))
    return figures


def sensor_cases(sensor):
    """Return (label, Case) of each of our filters."""
    return [('published tuning', Case('four_bar', 'error_ekf_fe', sensor)),
            ('tuned', Case('four_bar', 'error_ekf_fe', sensor, settings=tuned(sensor))),
            ('gravity estimated', Case('four_bar', 'augmented_ekf', sensor, settings=GRAVITY))]


def tuned(sensor):
    """Return the settings of the filter in the tuned parameter file."""
    text = (CONFIG / f'four_bar_{sensor}_tuned.yaml').read_text(encoding='utf-8')
    return yaml.safe_load(text)['estimator']['ros__parameters']['filter']


def best_published(sensor):
    """Return the review's filter with the smallest position RMSE after 2 s, and that [rad]."""
    figures = {name: sensors[sensor][1] for name, sensors in REFERENCE.items() if sensor in sensors}
    best = min(figures, key=figures.get)
    return best, figures[best]
