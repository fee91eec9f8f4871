"""Our best filters beside the best position figures after 2 s of the authors' toolbox.

Four-bar linkage, one sensor at a time, mean over noise seeds that nothing was tuned on.  Of ours:
error_ekf_fe with the published tuning and, where tuning helps, mb_bringup's config; and the
best, augmented_ekf as it comes, which is set up for a wrong gravity, and not by how much.
"""

from benchmarks.cases import Case, errors_of, shipped_settings
from benchmarks.figures import Figure
from benchmarks.review_reference import SENSORS, TOOLBOX

BEST, TUNED = 'augmented_ekf', ('crank_gyro',)


def measure():
    """Return one figure for each sensor and filter; the best filter has a target."""
    cases = [case for sensor in SENSORS for case in sensor_cases(sensor)]
    results = errors_of([case for _, case in cases])
    figures = []
    for (label, case), found in zip(cases, results, strict=True):
        name, best = best_of_toolbox(case.sensors)
        figures.append(Figure(
            f'{case.sensors}: {case.filter}, {label}', found['position_rmse_after_2s'].mean(),
            'rad', best if case.filter == BEST else None, peer=f'toolbox: {name}',
            peer_value=best))
    return figures


def sensor_cases(sensor):
    """Return (label, Case) of each of our filters."""
    cases = [('published tuning', Case('four_bar', 'error_ekf_fe', sensor)),
             ('gravity estimated', Case('four_bar', BEST, sensor,
                                        settings=shipped_settings('four_bar_gravity')))]
    if sensor in TUNED:
        settings = shipped_settings(f'four_bar_{sensor}_tuned')
        cases.append(('tuned', Case('four_bar', 'error_ekf_fe', sensor, settings=settings)))
    return cases


def best_of_toolbox(sensor):
    """Return the toolbox's filter of the smallest position RMSE after 2 s, and that [rad]."""
    figures = {name: sensors[sensor][1] for name, sensors in TOOLBOX.items() if sensor in sensors}
    best = min(figures, key=figures.get)
    return best, figures[best]
