"""What wrong parameters of the oil make of the observer's intervals and of the load.

The observer knows no masses, but it believes in its oil: modulus, valve, areas, spool.  Each is off
by a share, 50 kg, low_pass: how often the 95 % intervals hold the truth, at all instants and while
the crane moves, and what the mass is off by.
"""

from functools import lru_cache, reduce
from itertools import product
from operator import getitem

import numpy as np
import yaml

from benchmarks.crane_cases import SENSORS, experiment, over_cases
from benchmarks.figures import Figure
from mb_contact import PayloadExperiment
from mb_model import load_mechanism

LOAD = 50.0                             # kg
SEEDS = range(3)
PARTS = {                               # section, name of the part, key, shares that it is off by
    'bulk modulus of the oil': (('oil',), 'bulk_modulus', (0.05, 0.2)),
    'modulus of the hoses': (('volumes', 'v1'), 'bulk_modulus', (0.2,)),
    'nominal flow of the valve': (('valves', 'directional'), 'flow', (0.02, 0.05)),
    'time constant of the spool': (('valves', 'directional'), 'time_constant', (0.2,)),
    'bore of the cylinder': (('cylinders', 'lift'), 'piston_diameter', (0.0025, 0.01)),
}


def measure():
    """Return coverage and errors of the mass for every wrong parameter, and without one."""
    cases = list(product(wrong_oils(), SEEDS))
    rows = dict(zip(cases, over_cases(run_figures, cases), strict=True))
    figures = []
    for name in wrong_oils():
        runs = [rows[name, seed] for seed in SEEDS]
        for key in runs[0]['coverage']:
            figures.append(Figure(
                f'{name}: 95 % interval of {key} holds the truth',
                np.mean([run['coverage'][key] for run in runs]), '', peer='while moving',
                peer_value=np.mean([run['moving'][key] for run in runs])))
        figures += [
            Figure(f'{name}: bias of the mass', np.mean([run['bias'] for run in runs]), 'kg',
                   peer='claimed 1 sigma', peer_value=np.mean([run['claimed'] for run in runs])),
            Figure(f'{name}: largest error of the mass', max(run['worst'] for run in runs), 'kg')]
    return figures


@lru_cache(maxsize=1)
def wrong_oils():
    """Return overrides of the model by name; none first."""
    right = yaml.safe_load(load_mechanism('crane').text)['hydraulics']
    wrong = {'right oil': {}}
    for name, (section, key, shares) in PARTS.items():
        value = float(reduce(getitem, (*section, key), right))
        for share, sign in product(shares, (1.0, -1.0)):
            override = {key: value * (1.0 + sign * share)}
            for word in reversed(section):
                override = {word: override}
            wrong[f'{name} {100.0 * sign * share:+g} %'] = override
    return wrong


@lru_cache(maxsize=1)
def wrong_experiment(name):
    """Return the PayloadExperiment of a model with wrong oil; the truth is shared."""
    true = experiment(LOAD)
    return PayloadExperiment(
        true.prototype, SENSORS, model_errors={'hydraulics': wrong_oils()[name]}, truth=true.truth)


def run_figures(name, seed):
    """Return the figures of one run."""
    result = wrong_experiment(name).run(seed)
    late = result.judged
    return {'coverage': result.coverage() | {'mass': result.mass_coverage},
            'moving': result.coverage(result.moving) | {'mass': result.mass_coverage},
            'bias': float(result.mass_error[late].mean()), 'worst': result.worst_error,
            'claimed': float(result.payload.deviation[late].mean())}
