"""The hydraulic crane of the benchmarks: its truth for every load, and runs over noise seeds."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.figures import Figure
from mb_contact import PayloadExperiment
from mb_model import Run, WorkCycle, load_mechanism
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes.recorded_cycle import recorded_cycle
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

SENSORS = ('cylinder_encoder', 'pressure1', 'pressure2')
SEEDS, FEW_SEEDS = range(5), range(3)
LOADS, LOAD = (0.0, 10.0, 25.0, 50.0, 100.0, 200.0), 50.0      # kg
UNKNOWN = ('load',), (100.0,), (0.01,)  # parameters, their deviations and walks [kg]
# Boxes of steel, 210 GPa, of the arm's 20 kg/m: 140 x 80 x 6 mm, and a flat one of a quarter of it.
BOX, FLAT = 1.35e6, 0.34e6              # N m^2
DAMPING_TIME = 2e-4                     # s: 1 % of critical damping at 16 Hz, as of welded steel
HOSES = {'hose_pressure_drop': 0.3e6, 'hose_flow': 1e-4}    # 4 m of 6.3 mm, oil of 35 mm^2/s
RIPPLE = 0.3e6                          # Pa, 2 % of the supply
BENDS, FLAT_BENDS = ({'elastic_body': 'arm', 'bending_stiffness': stiffness,
                      'damping_time': DAMPING_TIME} for stiffness in (BOX, FLAT))
SAG = {'supply_pressure_drop': 2.1e6, 'supply_flow': 1e-4}      # Pa at m^3/s
MACHINES = {                            # what no model knows of a crane
    'as the model': {}, 'arm bends': BENDS, 'flat arm bends': FLAT_BENDS,
    'hoses': HOSES, 'hoses, pressures at the valve': HOSES | {'pressures_at': 'valve'}, **{
        f'supply ripples by {rate:g} Hz': {'ripple_amplitude': RIPPLE, 'ripple_rate': rate}
        for rate in (225.0, 20.0)},
    'all, 225 Hz': BENDS | HOSES | {'ripple_amplitude': RIPPLE},
    'sags': SAG, 'sags slowly': SAG | {'supply_volume': 0.1}}        # m^3, an accumulator
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


def numbers_of(result, coverage: dict | None = None) -> dict:
    """Return numbers on the mass, and in `held` how often 95 % intervals hold each quantity.

    coverage: of the quantities but the mass, where the model has other states than the truth.
    """
    late = result.judged
    return {'worst': result.worst_error, 'bias': float(result.mass_error[late].mean()),
            'claimed': float(result.payload.deviation[late].mean()),
            'held': (result.coverage() if coverage is None else coverage) | {
                'mass': result.mass_coverage}}


@lru_cache(maxsize=2)
def recorded(machine: str) -> Run:
    """Return the Run of one of MACHINES, what no model knows among it, that does the work cycle."""
    return recorded_cycle(crane(), work_cycle(crane()),
                          unmodelled=UnmodelledSettings(**MACHINES[machine]))


def over_seeds(figures: Callable, cases: Iterable[tuple], seeds) -> dict[tuple, list]:
    """Return {case: [figures(*case, seed) of each seed]}."""
    cases = list(cases)
    found = over_cases(figures, [(*case, seed) for case in cases for seed in seeds])
    return {case: [found[*case, seed] for seed in seeds] for case in cases}


def of_every(figures: Callable, cases: Iterable[tuple], seeds=FEW_SEEDS):
    """Yield (case, [figures(*case, seed) of each seed]) of all cases."""
    return over_seeds(figures, cases, seeds).items()


def largest(runs: list[dict]) -> float:
    """Return the largest error of the mass over runs [kg]."""
    return max(run['worst'] for run in runs)


def mean(runs: list[dict], key: str) -> float:
    """Return the mean of a number over runs."""
    return np.mean([run[key] for run in runs])


def mean_held(runs: list[dict], key: str) -> float:
    """Return how often the intervals of a quantity hold the truth, mean over runs."""
    return np.mean([run['held'][key] for run in runs])


def largest_error(name: str, runs: list[dict], peers: list[dict] | None = None) -> Figure:
    """Return the Figure of the largest error of the mass over runs, beside a peer's runs."""
    return Figure(f'{name}: largest error of the mass', largest(runs), 'kg', LIMIT,
                  **({} if peers is None else {'peer': 'kinematic', 'peer_value': largest(peers)}))


def bias(name: str, runs: list[dict], of: str = ' of the mass') -> Figure:
    """Return the Figure of the bias of the mass over runs."""
    return Figure(f'{name}: bias{of}', mean(runs, 'bias'), 'kg', peer='claimed 1 sigma',
                  peer_value=mean(runs, 'claimed'))


def held(name: str, key: str, value: float, target=HONEST, **peer) -> Figure:
    """Return the Figure of how often the 95 % intervals of a quantity hold the truth."""
    return Figure(f'{name}: 95 % interval of {key} holds the truth', value, '', target, **peer)


def inconsistent(name: str, value: float) -> Figure:
    """Return the Figure of how often the status of an estimator calls a sensor inconsistent."""
    return Figure(f'{name}: judgements that a sensor is inconsistent', value, '')
