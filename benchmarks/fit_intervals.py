"""Whether the intervals of fits hold: arms and closed loops with drawn numbers, 50 seeds each."""

from collections.abc import Sequence

import numpy as np

from benchmarks.figures import Figure
from benchmarks.fit_machines import SETTINGS, machine, mechanisms
from mb_estimators import NORMAL_95, fit

_HELD = (0.9, 0.98)         # share of the 95 % intervals


def measure(seeds: Sequence[int] = range(50), machines: Sequence[str] = ()) -> list[Figure]:
    """Fit masses, inertias, friction of each machine; seeds: of its numbers, motion and noise.

    machines: names, default all.
    """
    figures = []
    for name, mechanism in mechanisms().items():
        if machines and name not in machines:
            continue
        held, count = [], []
        for seed in seeds:
            one = machine(mechanism, seed)
            found = fit(one.believed, [], [one.recording(seed)], settings=SETTINGS)
            deviations = np.array([known.deviation for known in found.sums])
            values, truth = found.unknown_values(), found.unknown_values(one.truth)
            missed = np.array([known.of(values) - known.of(truth)
                               for known in found.sums]) / deviations
            held += (np.abs(missed) < NORMAL_95).tolist()
            count.append(len(found.sums) / len(found.numbers))
        figures += [
            Figure(f'{name}: intervals that hold, of {len(held)}', np.mean(held), '1', _HELD),
            Figure(f'{name}: known sums for each unknown', np.mean(count), '1')]
    return figures
