"""The benchmark of Rodriguez et al. 2023, Sec. 12: filters beside each other and the toolbox.

Four-bar linkage at 200 Hz for 10 s, one sensor at a time, the published tuning, mean over noise
seeds.  Every filter runs both ways: as in the paper, it predicts before its first correction; or it
is corrected by a reading at the start, when nothing moves yet.  It takes a quarter of an hour.
Writes review.md too, tables of both ways; `figure rodriguez2023 6` draws Fig. 6.
"""

from functools import partial
from itertools import product

from benchmarks.cases import START_ERROR, Case, case_figures, errors_of
from benchmarks.figures import Figure
from benchmarks.filter_speed import whole_step
from benchmarks.review_page import write_page
from benchmarks.review_reference import FILTERS, SENSORS, WAYS, toolbox
from benchmarks.stopwatch import times_per_call
from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

SIMPLE = ('dekf', 'sckf', 'diekf_pm', 'error_ekf')       # keep a position error with a crank gyro
LOST = 0.9 * START_ERROR                                 # what that is at least [rad]
FOUND = 0.1 * START_ERROR                                # and what is left of one at most
ENCODER = (0.0045, 0.0062)          # rad, of every discrete filter (paper: .0050 to .0057)
CONTINUOUS = 0.018                                       # rad, of cekf after 2 s (paper: .0159)


def measure(filters=()):
    """Return one figure for each way, filter, sensor and quantity; write the page beside.

    filters: measure these plugins alone, without a page.  Ends with SystemExit for unknown ones.
    """
    chosen = {name: one for name, one in FILTERS.items() if not filters or one.filter in filters}
    unknown = set(filters) - {one.filter for one in chosen.values()}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: not among the filters of the review")
    labels = list(product(WAYS, chosen, SENSORS))
    cases = [Case('four_bar', FILTERS[name].filter, sensor, settings=FILTERS[name].settings,
                  first_reading=WAYS[way]) for way, name, sensor in labels]
    errors = dict(zip(labels, errors_of(cases), strict=True))
    figures = [figure for label, case in zip(labels, cases, strict=True)
               for figure in case_figures(
                   f'{label[1]}, {case.sensors}, {label[0]}', errors[label],
                   toolbox(case.filter, case.sensors), partial(target, case))]
    times = step_times(chosen)
    if not filters:
        write_page(errors, times, figures)
    return figures + [Figure(f'{name}, predict and correct', 1e6 * time, 'us')
                      for name, time in times.items()]


def target(case, name):
    """Return what a figure has to be, None if it is only shown, as of filters as published."""
    if case.settings.get('as_published'):
        return None
    if case.sensors == 'crank_encoder':
        if case.filter == 'cekf':
            return CONTINUOUS if name == 'position_rmse_after_2s' else None
        return ENCODER if name == 'position_rmse' else None
    if name != 'position_rmse_after_2s':
        return None
    if case.sensors == 'crank_gyro' and case.filter in SIMPLE:
        return (LOST, 10.0)
    return FOUND


def step_times(chosen):
    """Return the time of a step of each Reviewed with the crank encoder, by names [s]."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    return times_per_call({
        name: whole_step(make_filter(case.filter, mechanism, sensors, 5e-3, **case.settings),
                         mechanism.z0) for name, case in chosen.items()}, calls=500, rounds=5)
