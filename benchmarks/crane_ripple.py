"""What a ripple of the pressures makes of the load of the crane.

Pumps make pressures ripple.  Here it is in what the sensors read, a sine in each chamber, and not
in what moves the crane: 225 Hz, of nine pistons at 1500 revolutions in a minute, which 100 readings
in a second see as 25 Hz, and 20 Hz of a pump that idles; at last observers that take the noise of
the pressures for as large.  50 kg, three seeds: the largest error of the mass from five seconds
after the first motion on, and how often the 95 % intervals hold the truth.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.crane_cases import (
    FEW_SEEDS,
    SENSORS,
    by_hydraulic_ekf,
    experiment,
    held,
    largest_error,
    mean_held,
    numbers_of,
    over_seeds,
)
from benchmarks.crane_wrong_parameters import JUDGED
from mb_contact import PayloadExperiment

KNOWN = 8e4                             # deviation that observers may take for the noise [Pa]
CASES = {'no ripple': (0.0, 0.0, False), **{        # amplitude [Pa], rate [Hz], whether known
    f'{1e-3 * size:g} kPa, {rate:g} Hz' + ', known' * known: (size, rate, known)
    for size, rate, known in (*product((2e4, 1e5), (225.0, 20.0), (False,)), (1e5, 225.0, True),
                              (1e5, 20.0, True))}}
PHASES = 0.0, 2.0                       # of both chambers [rad]


class Rippling(PayloadExperiment):
    """A PayloadExperiment whose pressure sensors read a ripple; amplitude [Pa], rate [Hz]."""

    amplitude, rate = 0.0, 0.0

    def readings(self, seed, faults=None):
        """Return the readings of all channels (k, channels), see PayloadExperiment."""
        found, column = super().readings(seed, faults), 0
        phases = iter(PHASES)
        for sensor in self.sensors:
            if sensor.kind == 'pressure':
                found[:, column] += self.amplitude * np.sin(
                    2.0 * np.pi * self.rate * self.t + next(phases))
            column += len(sensor.channels)
        return found


def measure():
    """Return errors and coverage of every ripple."""
    figures = []
    for (name,), pairs in over_seeds(run_figures, [(name,) for name in CASES], FEW_SEEDS).items():
        runs, peers = zip(*pairs, strict=True)
        figures.append(largest_error(name, runs, peers))
        figures += [held(name, key, mean_held(runs, key), peer='kinematic',
                         peer_value=mean_held(peers, key))
                    for key in JUDGED]
    return figures


@lru_cache(maxsize=1)
def rippling(name):
    """Return the Rippling of a case; the truth is shared."""
    true, (amplitude, rate, known) = experiment(), CASES[name]
    noise = {'sensors': {sensor: {'sigma': KNOWN} for sensor in SENSORS[1:]}} if known else {}
    found = Rippling(true.prototype, SENSORS, model_errors=noise, truth=true.truth)
    found.amplitude, found.rate = amplitude, rate
    return found


def run_figures(name, seed):
    """Return the numbers of one run, and of its peer."""
    run = rippling(name)
    return numbers_of(by_hydraulic_ekf(run, seed)), numbers_of(run.run(seed))
