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

from benchmarks.crane_cases import (
    FEW_SEEDS,
    bias,
    held,
    mean_held,
    numbers_of,
    over_seeds,
    wrong_model,
)
from benchmarks.figures import Figure
from mb_model import load_mechanism

PARTS = {                               # section, name of the part, key, shares that it is off by
    'bulk modulus of the oil': (('oil',), 'bulk_modulus', (0.05, 0.2)),
    'modulus of the hoses': (('volumes', 'v1'), 'bulk_modulus', (0.2,)),
    'nominal flow of the valve': (('valves', 'directional'), 'flow', (0.02, 0.05)),
    'time constant of the spool': (('valves', 'directional'), 'time_constant', (0.2,)),
    'bore of the cylinder': (('cylinders', 'lift'), 'piston_diameter', (0.0025, 0.01)),
}


def measure():
    """Return coverage and errors of the mass for every wrong parameter, and without one."""
    figures = []
    for (name,), runs in over_seeds(run_figures, [(name,) for name in wrong_oils()],
                                    FEW_SEEDS).items():
        figures += [held(name, key, mean_held(runs, key), None, peer='while moving',
                         peer_value=np.mean([run['moving'][key] for run in runs]))
                    for key in runs[0]['held']]
        figures += [bias(name, runs), Figure(f'{name}: largest error of the mass',
                                             max(run['worst'] for run in runs), 'kg')]
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
    """Return the PayloadExperiment of a model with wrong oil."""
    return wrong_model({'hydraulics': wrong_oils()[name]})


def run_figures(name, seed):
    """Return the numbers of one run, and how often intervals hold while it is moving."""
    result = wrong_experiment(name).run(seed)
    return numbers_of(result) | {
        'moving': result.coverage(result.moving) | {'mass': result.mass_coverage}}
