"""The five-bar linkage of Rodriguez et al. 2023, Sec. 11, read by four sets of sensors at 200 Hz.

Mean over noise seeds and both cranks, of error-state and continuous filters, and of the kinematic
one where it does not drift.  The review gives no figures of this linkage, and no tuning: that of
mb_bringup's config is used, and its equal for the filters with force state.  Beside it the four-bar
linkage with accelerometers, where there is a reference.
"""

from itertools import product

from benchmarks.cases import QUANTITIES, Case, measure_all
from benchmarks.figures import Figure
from mb_estimators import available_filters

SENSORS = ('crank_encoders', 'crank_gyros', 'coupler_gyros', 'crank_accelerometers')
WHITE, FORCE = {'acceleration_psd': 0.54978}, {'acceleration_variance': 0.10996}
TUNING = {'error_ekf': WHITE, 'error_ekf_ej': WHITE, 'error_ekf_fe': FORCE,
          'shaping_error_ekf_fe': {**FORCE, 'window': 500}, 'adaptive_error_ekf_fe': FORCE,
          'cekf': WHITE, 'cekf_penalty': WHITE, 'kinematic_kf': {}}
DRIFTING = ('crank_gyros', 'coupler_gyros')      # read no position, without dynamics
REFERENCE = (.0027, .0019, None, None)  # four-bar linkage, error_ekf_fe, accelerometers


def measure():
    """Return the errors of every filter with every set of sensors."""
    cases = [Case('five_bar', name, sensors, settings=tuning)
             for sensors, (name, tuning) in product(SENSORS, TUNING.items())
             if name in available_filters() and (name != 'kinematic_kf' or sensors not in DRIFTING)]
    cases.append(Case('four_bar', 'error_ekf_fe', 'crank_accelerometers'))
    return [figure for case, found in zip(cases, measure_all(cases), strict=True)
            for figure in case_figures(case, found)]


def case_figures(case, found):
    """Return the Figures of a case."""
    reference = REFERENCE if case.mechanism == 'four_bar' else (None,) * len(QUANTITIES)
    return [Figure(f'{case.mechanism}, {case.filter}, {case.sensors}: {text}', found[name].mean(),
                   unit, peer=None if known is None else 'reference', peer_value=known)
            for (name, (text, unit)), known in zip(QUANTITIES.items(), reference, strict=True)]
