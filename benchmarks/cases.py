"""Filters with sets of sensors on mechanisms, measured by their mean errors over noise seeds.

As in Rodriguez et al. 2023: gravity of the model is 1 m/s^2 and its start pi/16 wrong.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import pi

import numpy as np

from mb_estimators import SETTLED, DivergenceError, Experiment, monte_carlo, rmse
from mb_model import load_mechanism

SEEDS = range(20)
START_ERROR = pi / 16                   # rad
ERRORS = {'gravity': -1.0, 'z0': START_ERROR}
QUANTITIES = {                          # what is measured, and its unit
    'position_rmse': ('position', 'rad'),
    'position_rmse_after_2s': ('position after 2 s', 'rad'),
    'velocity_rmse': ('velocity', 'rad/s'),
    'acceleration_rmse': ('acceleration', 'rad/s^2')}


@dataclass(frozen=True)
class Case:
    """A filter with a set of sensors on a mechanism."""

    mechanism: str
    filter: str
    sensors: str
    dt: float = 5e-3
    duration: float = 10.0
    settings: dict = field(default_factory=dict)
    overrides: dict = field(default_factory=dict)        # of the mechanism file

    def measure(self):
        """Return {name: (seeds)} of QUANTITIES and `innovation`, means over degrees of freedom.

        They are infinite for a seed with which the filter diverges.
        """
        mechanism = load_mechanism(self.mechanism).replace(**self.overrides)
        experiment = Experiment(mechanism, [self.sensors], ERRORS, self.duration, self.dt)
        try:
            runs = monte_carlo(experiment, self.filter, SEEDS, figures, 1, **self.settings)
        except DivergenceError:
            return {name: np.full(len(SEEDS), np.inf) for name in (*QUANTITIES, 'innovation')}
        return {name: np.where(runs['diverged'], np.inf, runs[name].mean(axis=1))
                for name in (*QUANTITIES, 'innovation')}


def figures(result):
    """Return the errors of a Result, and the root mean square innovation of each channel.

    Innovations are those after 2 s.
    """
    settled = result.innovation[result.t >= SETTLED]
    return rmse(result) | {'innovation': np.sqrt(np.nanmean(settled ** 2, axis=0))}


def measure_all(cases):
    """Return what Case.measure gives for each case, in order, measured on all cores."""
    with ProcessPoolExecutor() as pool:
        return list(pool.map(Case.measure, cases))
