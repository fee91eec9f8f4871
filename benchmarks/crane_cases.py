"""The hydraulic crane of the benchmarks: its truth for every load, and runs over noise seeds."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.figures import Figure
from mb_contact import PayloadExperiment
from mb_model import WorkCycle, load_mechanism
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes.recorded_cycle import recorded_cycle

SENSORS = ('cylinder_encoder', 'pressure1', 'pressure2')
SEEDS, FEW_SEEDS = range(5), range(3)
LOADS, LOAD = (0.0, 10.0, 25.0, 50.0, 100.0, 200.0), 50.0      # kg
UNKNOWN = ('load',), (100.0,), (0.01,)  # parameters, their deviations and walks [kg]
LIMIT, HONEST = 1.0, (0.90, 0.99)       # kg; of 95 % intervals that hold the truth


def allowed_error(load: float) -> float:
    """Return what the filtered mass may be wrong by [kg]."""
    return max(0.01 * load, 0.5)


def crane(load: float = LOAD):
    """Return the crane with a load [kg]."""
    return load_mechanism('crane').replace(parameters={'load': load})


def work_cycle(mechanism) -> WorkCycle:
    """Return the work cycle that comes with mb_simulation."""
    return WorkCycle.load(cycle_file('crane'), mechanism)


@lru_cache(maxsize=len(LOADS))
def experiment(load: float = LOAD) -> PayloadExperiment:
    """Return the PayloadExperiment of a load [kg]; its truth is the MuJoCo prototype."""
    return observed_cycle(crane(load), work_cycle(crane(load)))


def observed_cycle(mechanism, cycle: WorkCycle) -> PayloadExperiment:
    """Return the PayloadExperiment of a crane and a WorkCycle that the MuJoCo prototype does."""
    return PayloadExperiment(mechanism, SENSORS, truth=recorded_cycle(mechanism, cycle))


def wrong_model(errors: dict, load: float = LOAD) -> PayloadExperiment:
    """Return the PayloadExperiment of a load whose model is wrong; the truth is shared."""
    true = experiment(load)
    return PayloadExperiment(true.prototype, SENSORS, model_errors=errors, truth=true.truth)


def by_hydraulic_ekf(run: PayloadExperiment, seed: int, unknown=UNKNOWN, **settings):
    """Return the result of hydraulic_ekf, which estimates what is unknown with the state."""
    parameters, deviations, walks = unknown
    return run.run_alone('hydraulic_ekf', seed, parameters=parameters,
                         parameter_deviations=deviations, parameter_walks=walks, **settings)


def numbers_of(result) -> dict:
    """Return numbers on the mass, and in `held` how often 95 % intervals hold each quantity."""
    late = result.judged
    return {'worst': result.worst_error, 'bias': float(result.mass_error[late].mean()),
            'claimed': float(result.payload.deviation[late].mean()),
            'held': result.coverage() | {'mass': result.mass_coverage}}


def over_seeds(figures: Callable, cases: Iterable[tuple], seeds) -> dict[tuple, list]:
    """Return {case: [figures(*case, seed) of each seed]}."""
    cases = list(cases)
    found = over_cases(figures, [(*case, seed) for case in cases for seed in seeds])
    return {case: [found[*case, seed] for seed in seeds] for case in cases}


def mean(runs: list[dict], key: str) -> float:
    """Return the mean of a number over runs."""
    return np.mean([run[key] for run in runs])


def mean_held(runs: list[dict], key: str) -> float:
    """Return how often the intervals of a quantity hold the truth, mean over runs."""
    return np.mean([run['held'][key] for run in runs])


def largest_error(name: str, runs: list[dict], peers: list[dict] | None = None) -> Figure:
    """Return the Figure of the largest error of the mass over runs, beside a peer's runs."""
    return Figure(f'{name}: largest error of the mass', max(run['worst'] for run in runs), 'kg',
                  LIMIT, **({} if peers is None else {
                      'peer': 'kinematic', 'peer_value': max(run['worst'] for run in peers)}))


def bias(name: str, runs: list[dict]) -> Figure:
    """Return the Figure of the bias of the mass over runs."""
    return Figure(f'{name}: bias of the mass', mean(runs, 'bias'), 'kg', peer='claimed 1 sigma',
                  peer_value=mean(runs, 'claimed'))


def held(name: str, key: str, value: float, target=HONEST, **peer) -> Figure:
    """Return the Figure of how often the 95 % intervals of a quantity hold the truth."""
    return Figure(f'{name}: 95 % interval of {key} holds the truth', value, '', target, **peer)


def inconsistent(name: str, value: float) -> Figure:
    """Return the Figure of how often the status of an estimator calls a sensor inconsistent."""
    return Figure(f'{name}: judgements that a sensor is inconsistent', value, '')
