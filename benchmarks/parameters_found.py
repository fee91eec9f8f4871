"""Gravity and the mass of the coupler of the four-bar linkage, found with its crank encoder alone.

10 s at 200 Hz; the model begins with gravity 1 m/s^2 too small, the coupler 1 kg too heavy and the
crank pi/16 off.  Over noise seeds: mean error (bias), deviation (spread) and what the filter says
it is, how often the truth lies in its 95 % interval.  Beside them the error at the start.
"""

import numpy as np
from scipy import stats

from benchmarks.cases import DURATION, ERRORS as WRONG_GRAVITY, SEEDS, STEP
from benchmarks.figures import Figure
from mb_estimators import Experiment, monte_carlo

ERRORS = WRONG_GRAVITY | {'bodies': {'coupler': {'mass': 9.0}}}
PARAMETERS = {'gravity.y': 'm/s^2', 'bodies.coupler.mass': 'kg'}
FILTERS = ('augmented_ekf', 'dual_ukf_error_ekf_fe')


def measure():
    """Return the figures of both filters and parameters."""
    experiment = Experiment('four_bar', ['crank_encoder'], ERRORS, DURATION, STEP)
    names = list(PARAMETERS)
    truth, start = (mechanism.parameter_records(names)['value']
                    for mechanism in (experiment.prototype, experiment.mechanism))
    figures = []
    for name in FILTERS:
        runs = monte_carlo(experiment, name, SEEDS, figures=found, parameters=names)
        errors = runs['values'] - truth
        for k, (parameter, unit) in enumerate(PARAMETERS.items()):
            figures += parameter_figures(f'{name}: {parameter}', unit, errors[:, k],
                                         runs['deviations'][:, k], abs(start[k] - truth[k]))
        figures.append(Figure(f'{name}: position RMSE after 2 s',
                              runs['position_rmse_after_2s'].mean(), 'rad'))
    return figures


def parameter_figures(label, unit, errors, deviations, error_at_start):
    """Return the Figures of one parameter from its errors and claimed deviations (seeds)."""
    count = len(errors)
    least = float(stats.binom.ppf(0.01, count, 0.95)) / count    # right intervals: 99 of 100 times
    inside = np.abs(errors) <= 1.96 * deviations
    return [Figure(f'{label}, bias', errors.mean(), unit, peer='error at the start',
                   peer_value=error_at_start),
            Figure(f'{label}, spread', errors.std(ddof=1), unit, peer='what the filter says',
                   peer_value=np.sqrt(np.mean(deviations ** 2))),
            Figure(f'{label}, in its 95 % interval', inside.mean(), '', least, at_least=True)]


def found(result):
    """Return what a run has found at its end, and the error of the position."""
    return {'values': [result.parameters[name][-1] for name in PARAMETERS],
            'deviations': [result.parameter_deviations[name][-1] for name in PARAMETERS],
            'position_rmse_after_2s': np.mean(result.position_rmse_after_2s)}
