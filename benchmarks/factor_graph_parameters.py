"""Gravity and the mass of the coupler of the four-bar linkage, by a graph of the whole motion.

The errors of parameters_found, 50 noise seeds: how near the parameters come, and how often the
truth lies in their 95 % intervals.  The prototype moves in steps of .25 ms: in steps of 5 ms it is
.03 rad off after 10 s, which the parameters would have to explain, the coupler by .07 kg.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from benchmarks.cases import DURATION, STEP, over_cases
from benchmarks.figures import Figure
from benchmarks.parameters_found import ERRORS, PARAMETERS
from mb_estimators import Experiment, identify
from mb_model import STATE, load_mechanism, simulate

SEEDS = range(50)
NEAR = 0.02             # share of the true value
FINER = 20              # steps of the prototype in one of the model


def measure():
    """Return the figures of both parameters."""
    truth, start = (mechanism.parameter_records(list(PARAMETERS))['value'] for mechanism in
                    (_experiment().prototype, _experiment().mechanism))
    found = over_cases(_found, [(seed,) for seed in SEEDS])
    values, deviations, intervals = (np.array(rows) for rows in zip(*found.values(), strict=True))
    errors = values - truth
    inside = (intervals[:, :, 0] <= truth) & (truth <= intervals[:, :, 1])
    figures = []
    for k, (parameter, unit) in enumerate(PARAMETERS.items()):
        figures += [
            Figure(f'{parameter}, bias', errors[:, k].mean(), unit, peer='error at the start',
                   peer_value=abs(start[k] - truth[k])),
            Figure(f'{parameter}, spread', errors[:, k].std(ddof=1), unit, peer='what it says',
                   peer_value=np.sqrt(np.mean(deviations[:, k] ** 2))),
            Figure(f'{parameter}, root mean square error', np.sqrt(np.mean(errors[:, k] ** 2)),
                   unit, NEAR * abs(truth[k])),
            Figure(f'{parameter}, seeds within 2 %',
                   (np.abs(errors[:, k] / truth[k]) < NEAR).mean(), ''),
            Figure(f'{parameter}, in its 95 % interval', inside[:, k].mean(), '', (0.9, 0.99))]
    return figures


@cache
def _experiment():
    prototype = load_mechanism('four_bar')
    run = simulate(prototype, DURATION, STEP / FINER)
    truth = replace(run, **{name: getattr(run, name)[::FINER] for name in ('t', *STATE, 'forces')})
    return Experiment(prototype, ['crank_encoder'], ERRORS, DURATION, STEP, truth)


def _found(seed):
    """Return values, deviations and intervals that a seed gives."""
    experiment = _experiment()
    found = identify(experiment.mechanism, experiment.sensors, experiment.recording(seed), STEP,
                     parameters=tuple(PARAMETERS))
    return [list(kind.values()) for kind in (found.values, found.deviations, found.intervals)]
