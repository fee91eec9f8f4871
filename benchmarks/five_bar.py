"""The five-bar linkage of Rodriguez et al. 2023, Sec. 11, read by four sets of sensors at 200 Hz.

Mean over noise seeds and both cranks, of the error-state filters.  The review gives no figures of
this linkage, and no tuning: that of mb_bringup's config is used, and its equal for the filter with
force state.  Beside it the four-bar linkage with accelerometers, where there is a reference.
"""

from concurrent.futures import ProcessPoolExecutor
from math import pi

import numpy as np

from benchmarks.figures import Figure
from mb_estimators import Experiment, monte_carlo

DURATION, STEP = 10.0, 5e-3             # s
SEEDS = range(20)
ERRORS = {'gravity': -1.0, 'z0': pi / 16}
SENSORS = ('crank_encoders', 'crank_gyros', 'coupler_gyros', 'crank_accelerometers')
TUNING = {'error_ekf': {'acceleration_psd': 0.54978}, 'error_ekf_ej': {'acceleration_psd': 0.54978},
          'error_ekf_fe': {'acceleration_variance': 0.10996}}
FIGURES = {'position RMSE': ('position_rmse', 'rad'),
           'position RMSE after 2 s': ('position_rmse_after_2s', 'rad'),
           'velocity RMSE': ('velocity_rmse', 'rad/s'),
           'acceleration RMSE': ('acceleration_rmse', 'rad/s^2')}
REFERENCE = (.0027, .0019)              # rad; four-bar linkage, error_ekf_fe, accelerometers


def measure():
    """Return the errors of every filter with every set of sensors."""
    cases = [('five_bar', name, sensor) for sensor in SENSORS for name in TUNING]
    cases.append(('four_bar', 'error_ekf_fe', 'crank_accelerometers'))
    with ProcessPoolExecutor(max_workers=2) as pool:
        means = list(pool.map(errors, *zip(*cases, strict=True)))
    figures = []
    for (mechanism, name, sensor), values in zip(cases, means, strict=True):
        for k, (text, (_, unit)) in enumerate(FIGURES.items()):
            figure = Figure(f'{mechanism}: {sensor}, {name}, {text}', values[k], unit)
            if mechanism == 'four_bar' and k < len(REFERENCE):
                figure.peer, figure.peer_value = 'reference', REFERENCE[k]
            figures.append(figure)
    return figures


def errors(mechanism, name, sensor):
    """Return the means of FIGURES over all seeds and degrees of freedom."""
    experiment = Experiment(mechanism, [sensor], ERRORS, DURATION, STEP)
    tuning = TUNING[name] if experiment.mechanism.g > 1 else {}
    runs = monte_carlo(experiment, name, SEEDS, processes=1, **tuning)
    return [np.mean(runs[figure]) for figure, _ in FIGURES.values()]
