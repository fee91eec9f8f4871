"""The hydraulic crane of the benchmarks: its truth for every load, and runs over noise seeds."""

from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

from mb_contact import PayloadExperiment
from mb_model import WorkCycle, load_mechanism
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes.recorded_cycle import recorded_cycle

SENSORS = ('cylinder_encoder', 'pressure1', 'pressure2')
SEEDS = range(5)
LOADS = (0.0, 10.0, 25.0, 50.0, 100.0, 200.0)          # kg


def allowed_error(load):
    """Return what the filtered mass may be wrong by [kg]."""
    return max(0.01 * load, 0.5)


def crane(load):
    """Return the crane with a load [kg]."""
    return load_mechanism('crane').replace(parameters={'load': load})


def work_cycle(mechanism):
    """Return the work cycle that comes with mb_simulation."""
    return WorkCycle.load(cycle_file('crane'), mechanism)


@lru_cache(maxsize=len(LOADS))
def experiment(load):
    """Return the PayloadExperiment of a load [kg]; its truth is the MuJoCo prototype."""
    return observed_cycle(crane(load), work_cycle(crane(load)))


def observed_cycle(mechanism, cycle):
    """Return the PayloadExperiment of a crane and a WorkCycle that the MuJoCo prototype does."""
    return PayloadExperiment(mechanism, SENSORS, truth=recorded_cycle(mechanism, cycle))


def over_cases(figures, cases):
    """Return [figures(*case), ...] by two processes, which keep truths for their next cases."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        return list(pool.map(figures, *zip(*cases, strict=True),
                             chunksize=max(1, len(cases) // 6)))
