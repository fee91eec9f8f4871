"""The benchmark of Rodriguez et al. 2023, Sec. 12: filters beside each other and reference figures.

Four-bar linkage at 200 Hz for 10 s, one sensor at a time, the published tuning, mean over noise
seeds.  It takes minutes.  Writes review.md and review.png too, the table and Fig. 6 of the paper.
"""

from itertools import product

from benchmarks.cases import QUANTITIES, START_ERROR, Case, measure_all
from benchmarks.figures import Figure
from benchmarks.filter_step import whole_step
from benchmarks.review_reference import REFERENCE, SENSORS, TUNING
from benchmarks.review_report import write_page, write_picture
from benchmarks.stopwatch import times_per_call
from mb_estimators import available_filters, make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

SIMPLE = ('dekf', 'sckf', 'diekf_pm', 'error_ekf')       # keep a position error with a crank gyro
LOST = 0.9 * START_ERROR                                 # what that is at least [rad]
FOUND = 0.1 * START_ERROR                                # and what is left of one at most
ENCODER = (0.0045, 0.0062)                               # rad, of every discrete filter
CONTINUOUS = 0.018                                       # rad, of cekf after 2 s


def measure():
    """Return one figure for each filter, sensor and quantity; write page and picture beside."""
    names = [name for name in REFERENCE if name in available_filters()]
    cases = [Case('four_bar', name, sensor, settings=TUNING.get(name, {}))
             for name, sensor in product(names, SENSORS)]
    results = list(zip(cases, measure_all(cases), strict=True))
    times = step_times(names)
    figures = [figure for case, found in results for figure in case_figures(case, found)]
    errors = {(case.filter, case.sensors): found for case, found in results}
    write_page(errors, times, names, figures)
    write_picture(errors, times, names)
    return figures + [Figure(f'{name}, predict and correct', 1e6 * time, 'us')
                      for name, time in times.items()]


def case_figures(case, found):
    """Return the Figures of a case, beside those of the reference."""
    reference = REFERENCE[case.filter].get(case.sensors, (None,) * len(QUANTITIES))
    return [Figure(f'{case.filter}, {case.sensors}: {text}', found[name].mean(), unit,
                   target(case, name), peer=None if known is None else 'reference',
                   peer_value=known)
            for (name, (text, unit)), known in zip(QUANTITIES.items(), reference, strict=True)]


def target(case, name):
    """Return what a figure has to be, None if it is only told."""
    if case.sensors == 'crank_encoder':
        if case.filter == 'cekf':
            return CONTINUOUS if name == 'position_rmse_after_2s' else None
        return ENCODER if name == 'position_rmse' else None
    if name != 'position_rmse_after_2s':
        return None
    if case.sensors == 'crank_gyro' and case.filter in SIMPLE:
        return (LOST, 10.0)
    return FOUND


def step_times(names):
    """Return the time of a step of each filter with the crank encoder [s]."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    return times_per_call({name: whole_step(make_filter(name, mechanism, sensors, 5e-3),
                                            mechanism.z0) for name in names}, calls=500, rounds=5)
