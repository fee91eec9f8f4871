"""The five-bar linkage of Rodriguez et al. 2023, Sec. 11, read by four sets of sensors at 200 Hz.

Mean over noise seeds and both cranks, of error-state and continuous filters, and of the kinematic
one where it does not drift.  The review gives no figures of this linkage, and no tuning:
mb_bringup's config is used, and its equal for the filters with force state.

error_ekf_fe with gyroscopes on the cranks starts with other variances of the acceleration error,
too, each crank alone: the published .0076 is a deviation of .09 rad/s^2, where the wrong gravity
makes an error of 2.4 rad/s^2, which the filter then takes for an error of position.

Beside it the four-bar linkage with accelerometers, where there is a figure of the toolbox.
"""

from itertools import product

import numpy as np

from benchmarks.cases import (
    QUANTITIES,
    SEEDS,
    Case,
    errors_of,
    over_cases,
    wrong_gravity,
)
from benchmarks.figures import Figure
from mb_estimators import available_filters, judged, make_filter, observe

SENSORS = ('crank_encoders', 'crank_gyros', 'coupler_gyros', 'crank_accelerometers')
WHITE, FORCE = {'acceleration_psd': 0.54978}, {'acceleration_variance': 0.10996}
TUNING = {'error_ekf': WHITE, 'error_ekf_ej': WHITE, 'error_ekf_fe': FORCE,
          'shaping_error_ekf_fe': {**FORCE, 'window': 500}, 'adaptive_error_ekf_fe': FORCE,
          'cekf': WHITE, 'cekf_penalty': WHITE, 'kinematic_kf': {}}
DRIFTING = ('crank_gyros', 'coupler_gyros')      # read no position, without dynamics
STARTS = (7.6e-3, 0.1, 1.0, 6.0, 30.0)  # rad^2/s^4, variances of the acceleration error
TOOLBOX = (.0027, .0019, None, None)    # four-bar linkage, error_ekf_fe, accelerometers


def measure():
    """Return the errors of every filter with every set of sensors."""
    cases = [Case('five_bar', name, sensors, settings=tuning)
             for sensors, (name, tuning) in product(SENSORS, TUNING.items())
             if name in available_filters() and (name != 'kinematic_kf' or sensors not in DRIFTING)]
    cases.append(Case('four_bar', 'error_ekf_fe', 'crank_accelerometers'))
    figures = [figure for case, found in zip(cases, errors_of(cases), strict=True)
               for figure in case_figures(case, found)]
    starts = [(variance, True) for variance in STARTS] + [(STARTS[0], False)]
    return figures + [figure for found in over_cases(start_figures, starts).values()
                      for figure in found]


def case_figures(case, found):
    """Return the Figures of a case."""
    known = TOOLBOX if case.mechanism == 'four_bar' else (None,) * len(QUANTITIES)
    return [Figure(f'{case.mechanism}, {case.filter}, {case.sensors}: {text}', found[name].mean(),
                   unit, peer=None if value is None else 'toolbox', peer_value=value)
            for (name, (text, unit)), value in zip(QUANTITIES.items(), known, strict=True)]


def start_figures(variance, read):
    """Return the position errors of each crank, error_ekf_fe starting with a variance of STARTS.

    read: whether the reading at the start is used, when nothing moves yet.
    """
    experiment = wrong_gravity('crank_gyros', 'five_bar')
    mechanism = experiment.mechanism
    filter_ = make_filter('error_ekf_fe', mechanism, experiment.sensors, experiment.dt, **FORCE)
    g, errors = mechanism.g, []
    covariance = np.diag([filter_.settings.initial_variance] * (2 * g) + [variance] * g)
    for seed in SEEDS:
        filter_.reset(mechanism.z0, mechanism.zd0, covariance)
        readings = experiment.readings(seed)
        if not read:
            readings[0] = np.nan
        track = judged(experiment.t, observe(
            filter_, experiment.stamps, readings, experiment.dt), experiment.true_track)
        errors.append((track.position_rmse, track.position_rmse_after_2s))
    means, start = np.mean(errors, axis=0), '' if read else ', without the first reading'
    return [Figure(f'five_bar, error_ekf_fe, crank_gyros, starting with a variance of {variance:g} '
                   f'rad^2/s^4{start}: {mechanism.independent[k]} {text}', means[row, k], 'rad')
            for row, text in enumerate(('position', 'position after 2 s')) for k in range(g)]
