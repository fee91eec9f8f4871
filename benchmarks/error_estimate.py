"""Cost of the estimated error of a motion: `simulate` with it against `simulate` without."""

import warnings

from benchmarks.figures import Figure
from benchmarks.stopwatch import times_per_call
from mb_model import FORMULATIONS, IntegrationWarning, load_mechanism, simulate

DURATION, STEP = 1.0, 1e-3      # s


def measure():
    """Return one figure for each formulation: time with the estimate over time without."""
    warnings.simplefilter('ignore', IntegrationWarning)
    mechanism = load_mechanism('four_bar')
    functions = {(name, estimate): lambda name=name, estimate=estimate: simulate(
        mechanism, DURATION, STEP, name, estimate_error=estimate)
        for name in FORMULATIONS for estimate in (True, False)}
    times = times_per_call(functions, calls=5)
    return [Figure(f'{name}: time of a step', 1e6 * times[name, True] * STEP / DURATION, 'us',
                   peer='without the estimate',
                   peer_value=1e6 * times[name, False] * STEP / DURATION)
            for name in FORMULATIONS]
