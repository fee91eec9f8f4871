"""Filters with sets of sensors on mechanisms, measured by their mean errors over noise seeds.

As in Rodriguez et al. 2023: gravity of the model is 1 m/s^2 and its start pi/16 wrong; 200 Hz.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import pi
import os
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from mb_estimators import SETTLED, DivergenceError, Experiment, filter_class, judged, monte_carlo
from mb_model import load_mechanism
from mb_model.file_api import read_parameters

CONFIG = Path(__file__).resolve().parents[1] / 'src' / 'mb_bringup' / 'config'
SEEDS = range(20)
DURATION, STEP = 10.0, 5e-3             # s
START_ERROR = pi / 16                   # rad
ERRORS = {'gravity': -1.0, 'z0': START_ERROR}
LOST = 0.1                              # rad: half the error of the start, see on_track
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
    dt: float = STEP
    duration: float = DURATION
    settings: dict = field(default_factory=dict)
    overrides: dict = field(default_factory=dict)        # of the mechanism file
    seeds: Sequence[int] = SEEDS
    first_reading: bool = True           # whether the one at the start is used
    experiment: type[Experiment] = Experiment            # what reads the sensors

    def errors(self) -> dict[str, np.ndarray]:
        """Return {name: (seeds)} of QUANTITIES and `innovation`, means over degrees of freedom.

        They are infinite for a seed with which the filter diverges.
        """
        mechanism = load_mechanism(self.mechanism).replace(**self.overrides)
        experiment = self.experiment(mechanism, [self.sensors], ERRORS, self.duration, self.dt)
        try:
            runs = monte_carlo(experiment, self.filter, self.seeds, figures, 1,
                               first_reading=self.first_reading,
                               **of_papers(self.filter) | self.settings)
        except DivergenceError:
            return {name: np.full(len(self.seeds), np.inf) for name in (*QUANTITIES, 'innovation')}
        return {name: np.where(runs['diverged'], np.inf, runs[name].mean(axis=1))
                for name in (*QUANTITIES, 'innovation')}


def on_track(settled: np.ndarray) -> np.ndarray:
    """Return with which seeds a filter is not lost, by its position errors after 2 s (seeds) [rad].

    It is lost where it has not halved the error of the start.  Where it has with no seed, its
    sensors do not show the position: only seeds with which it diverges are lost then.
    """
    kept = settled < LOST
    return kept if kept.any() else np.isfinite(settled)


def of_papers(name: str) -> dict[str, float]:
    """Return the noises of the papers, for a filter by its name.

    Those of the four-bar linkage, where they are the defaults; on faster machines these are larger.
    """
    described = filter_class(name).Settings
    defaults = described.defaults()
    return {key: defaults[key] for key, _, one in described.describe() if one.grows}


def wrong_gravity(sensors, mechanism='four_bar', truth=None) -> Experiment:
    """Return the Experiment of the paper with sensors, or one of them by its name."""
    names = [sensors] if isinstance(sensors, str) else sensors
    return Experiment(mechanism, names, ERRORS, DURATION, STEP, truth)


def missing_forces(experiment: Experiment) -> np.ndarray:
    """Return the forces (k, g) that the wrong model of an Experiment lacks on its true motion."""
    truth, wrong = experiment.truth, experiment.mechanism
    return np.array([wrong.inverse_dynamics(*state) for state in zip(
        truth.z, truth.zd, truth.zdd, truth.q, strict=True)])


def figures(result):
    """Return the errors of a Result, and the root mean square innovation of each channel.

    Errors are those from the first reading on: before it nothing is estimated.  Innovations are
    those after 2 s.
    """
    settled = result.innovation[result.t >= SETTLED]
    begun = slice(int(np.isfinite(result.readings).any(axis=1).argmax()), None)
    track = judged(result.t[begun], result.observer[begun], result.truth[begun])
    return {name: getattr(track, name) for name in QUANTITIES} | {
        'innovation': np.sqrt(np.nanmean(settled ** 2, axis=0))}


def errors_of(cases: Iterable[Case]) -> list[dict[str, np.ndarray]]:
    """Return what Case.errors gives for each case, in order, measured on all cores."""
    with ProcessPoolExecutor() as pool:
        return list(pool.map(Case.errors, cases))


def case_figures(label: str, errors: dict[str, np.ndarray], known: Sequence[float | None] | None,
                 target: Callable = lambda quantity: None) -> list[Figure]:
    """Return the Figures of the QUANTITIES of what Case.errors gives, beside the toolbox's."""
    return [Figure(f'{label}: {text}', errors[name].mean(), unit, target(name),
                   peer=None if value is None else 'toolbox', peer_value=value)
            for (name, (text, unit)), value in zip(
                QUANTITIES.items(), known or (None,) * len(QUANTITIES), strict=True)]


def over_cases(figures: Callable, cases: Iterable[tuple]) -> dict[tuple, Any]:
    """Return {case: figures(*case)}, in order, on all cores.

    Neighbours are for the same process, for which it keeps what it caches.
    """
    cases, processes = list(cases), os.cpu_count()
    with ProcessPoolExecutor(processes) as pool:
        found = pool.map(figures, *zip(*cases, strict=True),
                         chunksize=max(1, len(cases) // (4 * processes)))
        return dict(zip(cases, found, strict=True))


@cache
def shipped(name: str) -> dict[str, Any]:
    """Return the parameters of an estimator in mb_bringup's file of a name, without ending."""
    return read_parameters([CONFIG / f'{name}.yaml'], 'estimator')


def shipped_settings(name: str) -> dict[str, Any]:
    """Return the settings of the filter among them, by their own names."""
    return {key.removeprefix('filter.'): value for key, value in shipped(name).items()
            if key.startswith('filter.')}
