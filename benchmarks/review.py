"""The benchmark of Rodriguez et al. 2023, Sec. 12: filters beside each other and the toolbox.

Four-bar linkage at 200 Hz for 10 s, one sensor at a time, the published tuning, mean over noise
seeds.  It takes minutes.  Writes review.md and review.png too, a table and the like of Fig. 6.
"""

from itertools import product

from benchmarks.cases import QUANTITIES, START_ERROR, Case, measure_all
from benchmarks.figures import Figure
from benchmarks.filter_step import whole_step
from benchmarks.review_reference import FILTERS, SENSORS, toolbox
from benchmarks.review_report import write_page, write_picture
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
    """Return one figure for each filter, sensor and quantity; write page and picture beside.

    filters: measure these plugins alone, and write neither.  Ends with SystemExit for unknown ones.
    """
    chosen = {name: one for name, one in FILTERS.items() if not filters or one.filter in filters}
    unknown = set(filters) - {one.filter for one in chosen.values()}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: not among the filters of the review")
    labels = list(product(chosen, SENSORS))
    cases = [Case('four_bar', FILTERS[name].filter, sensor, settings=FILTERS[name].settings)
             for name, sensor in labels]
    errors = dict(zip(labels, measure_all(cases), strict=True))
    figures = [figure for (name, _), case in zip(labels, cases, strict=True)
               for figure in case_figures(name, case, errors[name, case.sensors])]
    times = step_times(chosen)
    if not filters:
        write_page(errors, times, figures)
        write_picture(errors, times)
    return figures + [Figure(f'{name}, predict and correct', 1e6 * time, 'us')
                      for name, time in times.items()]


def case_figures(label, case, found):
    """Return the Figures of a case, beside the toolbox's."""
    known = toolbox(case.filter, case.sensors) or (None,) * len(QUANTITIES)
    return [Figure(f'{label}, {case.sensors}: {text}', found[name].mean(), unit,
                   target(case, name), peer=None if value is None else 'toolbox', peer_value=value)
            for (name, (text, unit)), value in zip(QUANTITIES.items(), known, strict=True)]


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
