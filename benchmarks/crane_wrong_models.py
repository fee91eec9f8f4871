"""What a wrong model of the crane makes of the load: friction 20 % wrong, an arm 10 % wrong.

Per load: mean error of the filtered mass from five seconds after the first motion on (bias), the
largest error, and the deviation that the estimator claims with its default settings.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.crane_cases import SENSORS, crane, experiment, over_cases
from benchmarks.figures import Figure
from mb_bringup.model_files import wrong_friction, wrong_mass
from mb_contact import PayloadExperiment

LOADS = (10.0, 50.0, 200.0)             # kg
FRICTION, ARM = 0.2, 0.1                # relative errors
SEEDS = range(3)
ALLOWED = 0.15                          # of the load, of the paper's 50 kg


def measure():
    """Return bias, claimed deviation and largest error of every wrong model and load."""
    cases = list(product(LOADS, wrong_models(), SEEDS))
    rows = dict(zip(cases, over_cases(run_figures, cases), strict=True))
    figures = []
    for load, name in product(LOADS, wrong_models()):
        runs = np.array([rows[load, name, seed] for seed in SEEDS])
        figures += [
            Figure(f'{name}, {load:g} kg: bias', runs[:, 0].mean(), 'kg',
                   peer='claimed 1 sigma', peer_value=runs[:, 2].mean()),
            Figure(f'{name}, {load:g} kg: largest error', 100.0 * runs[:, 1].max() / load, '%',
                   100.0 * ALLOWED if load == 50.0 else None)]
    return figures


@lru_cache(maxsize=1)
def wrong_models():
    """Return the errors of the model by name."""
    right = crane(50.0)
    models = {}
    for sign, more, heavier in ((1.0, 'more', 'heavier'), (-1.0, 'less', 'lighter')):
        models[f'friction 20 % {more}'] = wrong_friction(right, sign * FRICTION)
        models[f'arm 10 % {heavier}'] = wrong_mass(right, 'arm', sign * ARM)
    return models


@lru_cache(maxsize=len(LOADS) * 4)
def wrong_experiment(load, name):
    """Return the PayloadExperiment of a load whose model is wrong; the truth is shared."""
    true = experiment(load)
    return PayloadExperiment(true.prototype, SENSORS, model_errors=wrong_models()[name],
                             truth=true.truth)


def run_figures(load, name, seed):
    """Return bias, largest error and claimed deviation of one run [kg]."""
    result = wrong_experiment(load, name).run(seed)
    late = result.judged
    return (result.mass_error[late].mean(), result.worst_error,
            result.payload.deviation[late].mean())
