"""Faults of the crane's sensors at 50 kg, and loads that are picked up and set down.

As the nodes do it: estimates at the instants of readings, which say when not to be trusted.  A
pressure sensor dead for two seconds, the encoder stuck for two seconds while the valve is open,
spikes of 5 MPa in a tenth of a pressure sensor's readings for four seconds: error of the filtered
mass while that lasts and after, how much of the time the mass is held, and beside it the same run
without a fault.  Changes of load: time until they are reported, and until the mass is right again;
false alarms over the work cycle with a load that stays.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.crane_cases import (
    LOAD,
    LOADS,
    SEEDS,
    crane,
    experiment,
    observed_cycle,
    over_seeds,
    work_cycle,
)
from benchmarks.figures import Figure
from mb_model import WorkCycle
from mb_sensors import FaultSettings

BEGIN, START = 12.0, 1.0                # s: of faults in the cycle, stamp of the first instant
STREAM = {'stuck_after': 5}
FAULTS = {
    'pressure sensor dead for 2 s': (
        'pressure1', 2.0, {'dead_from': START + BEGIN, 'dead_for': 2.0}),
    'encoder stuck for 2 s': (
        'cylinder_encoder', 2.0, {'stuck_from': START + BEGIN, 'stuck_for': 2.0}),
    'spikes of 5 MPa for 4 s': (
        'pressure1', 4.0, {'spike_from': START + BEGIN, 'spike_for': 4.0, 'spike_size': 5e6,
                           'spike_share': 0.1}),
}
CHANGES = {                             # load before, load after [kg], when [s]
    '50 kg picked up while moving': (0.0, 50.0, 3.0),
    '50 kg released while moving': (50.0, 0.0, 3.0),
    '50 kg picked up at rest': (0.0, 50.0, 7.6),
}
RIGHT_AGAIN = 1.0                       # kg


def measure():
    """Return the figures of faults, changes of load and false alarms."""
    figures = []
    for (name,), rows in over_seeds(fault_figures, [(name,) for name in FAULTS], SEEDS).items():
        during, after, held, plain, reported = np.array(rows).T
        figures += [
            Figure(f'{name}: reported', reported.mean(), '', 1.0, at_least=True),
            Figure(f'{name}: share of the time that the mass is held', held.mean(), ''),
            Figure(f'{name}: largest error while it lasts', during.max(), 'kg', LOAD * 0.01),
            Figure(f'{name}: largest error after it', after.max(), 'kg', LOAD * 0.01,
                   peer='without a fault', peer_value=plain.max())]
    return figures + change_figures() + false_alarms()


def fault_figures(name, seed):
    """Return largest error during and after [kg], share held, error without it, and if reported."""
    sensor, span, settings = FAULTS[name]
    plain = experiment(LOAD).run_stream(seed, stream=STREAM)
    result = experiment(LOAD).run_stream(seed, {sensor: FaultSettings(**settings)}, stream=STREAM)
    during = (result.t >= BEGIN) & (result.t < BEGIN + span)
    after, error = result.t >= BEGIN + span, np.abs(result.mass_error)
    reasons = ' '.join(result.payload.reason[during])
    return (error[during].max(initial=0.0), error[after].max(),
            1.0 - result.payload.updating[during].mean(),
            np.abs(plain.mass_error[plain.t >= BEGIN]).max(), float(sensor in reasons))


def change_figures():
    """Return how long changes of load take to be reported, and the mass to be right."""
    figures = []
    for (name,), rows in over_seeds(delays, [(name,) for name in CHANGES], SEEDS).items():
        times, right = np.array(rows).T
        figures += [Figure(f'{name}: until it is reported, the longest', times.max(), 's',
                           1.0 if 'moving' in name else None),
                    Figure(f'{name}: until the mass is within 1 kg for good', right.max(), 's'),
                   *(Figure(f'{name}: until it is reported, seed {seed}', time, 's')
                     for seed, time in zip(SEEDS, times, strict=True))]
    return figures


def delays(name, seed):
    """Return times from a change of load until it is reported, and until the mass is right [s]."""
    when, result = CHANGES[name][2], changing(name).run_stream(seed, stream=STREAM)
    late = result.t >= when
    reported = late & (result.payload.event != '')
    wrong = late & ~(np.abs(result.mass_error) < RIGHT_AGAIN)
    first = result.t[reported].min() - when if reported.any() else np.inf
    return first, result.t[wrong].max() - when


@lru_cache(maxsize=1)
def changing(name):
    """Return the PayloadExperiment of a change of load."""
    before, after, when = CHANGES[name]
    mechanism = crane(before)
    plain = work_cycle(mechanism)
    times = np.unique(np.r_[plain.times, when])
    return observed_cycle(mechanism, WorkCycle(
        mechanism.circuit, times, np.array([plain.valves_at(t) for t in times]),
        {'load': np.where(times < when, before, after)}))


def false_alarms():
    """Return how many changes are reported over all loads and seeds without one."""
    counts = over_cases(alarms, product(LOADS, SEEDS))
    return [Figure(f'changes reported in {len(counts)} work cycles without one',
                   sum(counts.values()), '', 0.0)]


def alarms(load, seed):
    """Return how many changes of load are reported in a run without one."""
    return int((experiment(load).run_stream(seed, stream=STREAM).payload.event != '').sum())
