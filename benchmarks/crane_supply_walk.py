"""How much may the supply of hydraulic_ekf drift?  Its walks on a cycle that judges nothing else.

The work cycle, the loads, 25 and 120 kg, and the seeds are others than those of
crane_wrong_parameters, which judges what is chosen here.  The pump of the prototype stands, stands
15 % lower than the model has it, or sags, at once or slowly by an accumulator.  For every walk: the
largest error of the mass from five seconds after the first motion on, how often 95 % intervals hold
the truth, and how often the status of an estimator would call a sensor inconsistent.
"""

from functools import lru_cache
from itertools import product

import numpy as np
import yaml

from benchmarks.crane_cases import (
    LIMIT,
    SENSORS,
    by_hydraulic_ekf,
    crane,
    held,
    inconsistent,
    mean,
    mean_held,
    numbers_of,
    over_seeds,
)
from benchmarks.crane_wrong_parameters import ACCUMULATOR, SAG
from benchmarks.figures import Figure
from mb_contact import PayloadExperiment
from mb_estimators import inconsistent_share
from mb_model import WorkCycle
from mb_simulation.prototypes.recorded_cycle import recorded_cycle
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

LOADS, SEEDS = (25.0, 120.0), (10, 11, 12)      # kg
WALKS = (1e-3, 3e-2)            # 1/sqrt(s): the default, and the one for pumps that may sag
PUMPS = {'stands': {}, 'stands, 15 % lower than the model': {}, 'sags': SAG,
         'sags slowly': SAG | {'supply_volume': ACCUMULATOR}}
LOWER = '15 %'
# s: command.  Up in two strokes of which the second is fast, down in two, up again, each held.
CORNERS = {0.0: 0.0, 0.6: 0.0, 0.9: 0.35, 2.9: 0.35, 3.3: 0.0, 4.0: 0.0, 4.3: 0.8, 5.3: 0.8,
           5.7: 0.0, 6.6: 0.0, 6.9: -0.6, 8.3: -0.6, 8.6: 0.0, 9.4: 0.0, 9.7: -0.25, 11.5: -0.25,
           11.8: 0.0, 12.4: 0.0, 12.7: 0.5, 14.2: 0.5, 14.5: 0.0, 16.0: 0.0}


def measure():
    """Return errors and coverage of every pump and walk, of the worse load."""
    rows, figures = over_seeds(run_figures, product(PUMPS, LOADS, WALKS), SEEDS), []
    for pump, walk in product(PUMPS, WALKS):
        runs = {load: rows[pump, load, walk] for load in LOADS}
        name = f'{pump}, walk {walk:g}'
        figures += [Figure(f'{name}: {load:g} kg: largest error of the mass',
                           max(run['worst'] for run in runs[load]), 'kg', LIMIT,
                           peer='claimed 1 sigma', peer_value=mean(runs[load], 'claimed'))
                    for load in LOADS]
        figures += [held(name, shown, min(mean_held(runs[load], key) for load in LOADS))
                    for shown, key in (('z', 'z s'), ('zd', 'zd s'), ('mass', 'mass'))]
        figures.append(inconsistent(name, mean([*runs[LOADS[0]], *runs[LOADS[1]]], 'inconsistent')))
    return figures


@lru_cache(maxsize=1)
def wrong_experiment(pump, load):
    """Return the PayloadExperiment of a pump and a load; its truth is the MuJoCo prototype."""
    machine, errors = crane(load), {}
    times = np.arange(0.0, max(CORNERS), 0.02)
    command = np.interp(times, list(CORNERS), list(CORNERS.values()))
    truth = recorded_cycle(machine, WorkCycle(machine.circuit, times, command[:, None]),
                           unmodelled=UnmodelledSettings(**PUMPS[pump]))
    if LOWER in pump:
        pressure = float(yaml.safe_load(machine.text)['hydraulics']['supplies']['pump'])
        errors = {'hydraulics': {'supplies': {'pump': pressure / 0.85}}}
    return PayloadExperiment(machine, SENSORS, model_errors=errors, truth=truth)


def run_figures(pump, load, walk, seed):
    """Return the numbers of one run."""
    run = wrong_experiment(pump, load)
    result = by_hydraulic_ekf(run, seed, supply_walk=walk)
    return numbers_of(result) | {
        'inconsistent': inconsistent_share(run.sensors, run.stamps, result.observation)}
