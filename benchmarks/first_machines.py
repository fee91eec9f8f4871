"""First machines: does the three-simulation method pass on ordinary machines, without tuning?

As `ros2 launch mb_bringup three_simulation.launch.py mechanism:=FILE`, without its processes: the
errors of the model, the estimator with all that watches it, and the judge are the launch's.
Machines that judge are not those that the rule of default noises was chosen on.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.cases import of_papers, over_cases
from benchmarks.figures import Figure
from benchmarks.ordinary_machines import DURATION, STEP, experiment_of, machine, model_errors
from mb_estimators import EstimatorSetup, Experiment
from mb_evaluation.report_kinds.accuracy_report import accuracy_figures, objections
from mb_evaluation.run_log.accuracy_log import AccuracyLog
from mb_evaluation.run_log.run_log import Counters
from mb_model import FreeOrientations, Mechanism, load_mechanism
from mb_model.file_api import GivenParameters

CHOSEN_ON = range(1000, 1100)           # seeds of machines that the rule was chosen on
JUDGED = range(20)                      # and of those that judge it
NEES_BOUND = 100.0                      # as the accuracy monitor's
FILTERS = 'error_ekf_fe', 'error_ekf'
TARGET = 0.95


class Verdict(NamedTuple):
    """The verdict on a run: objections, none if it passed, and the figures of its report."""

    objections: list[str]
    figures: dict[str, Any]


def measure(seeds: Sequence[int] = JUDGED, filters: Sequence[str] = FILTERS) -> list[Figure]:
    """Return the share of machines on which each filter passes; what failed is printed.

    Beside it, the share with the noises of the four-bar linkage, which are the papers'.
    """
    found = over_cases(_objections, product(map(int, seeds), filters, (False, True)))
    figures = []
    for name in filters:
        shares = [sum(not texts for (_, *case), texts in found.items() if case == [name, papers])
                  / len(seeds) for papers in (False, True)]
        figures.append(Figure(f'{name}: machines that pass', shares[0], '',
                              TARGET if name == FILTERS[0] else None, at_least=True,
                              peer="the papers' noises", peer_value=shares[1]))
    for (seed, name, papers), texts in found.items():
        for text in texts:
            print(f'{machine(seed)[0]["name"]}: {name}'
                  f'{", noises of the papers" if papers else ""}: {text}')
    return figures


def _objections(seed: int, name: str, papers: bool) -> list[str]:
    """Return the objections to a run; papers: with their noises."""
    return verdict(seed, name, **of_papers(name) if papers else {}).objections


def verdict(seed: int, name: str, **settings: Any) -> Verdict:
    """Return the Verdict on a filter, by its name and settings, on the machine of a seed."""
    raw, sensors = machine(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f'{raw["name"]}.yaml'
        path.write_text(Mechanism(raw, path.name).text, encoding='utf-8')
        return judged(str(path), sensors, name, seed, **settings)


def judged(path: str, sensors: Sequence[str], name: str, seed: int, **settings: Any) -> Verdict:
    """Return the Verdict on a filter on the machine of a file; seed: of the sensors' noise."""
    mechanism = load_mechanism(path)
    errors, experiment = model_errors(mechanism), experiment_of(mechanism, sensors)
    setup = EstimatorSetup(GivenParameters({
        'mechanism': path, 'estimator': name, 'sensors': list(sensors), 'dt': STEP,
        **{f'model_errors.{key}': value for key, value in errors.items()},
        **{f'filter.{key}': value for key, value in settings.items()}}).settings_of)
    log = AccuracyLog(experiment.stamps[0], DURATION, 1.0 / STEP, setup.sensors, seed,
                      orientations=FreeOrientations(mechanism))
    names, nothing = list(mechanism.independent), np.empty((0, 0))
    for stream, run in (('prototype', experiment.truth), ('model', experiment.model)):
        for k, stamp in enumerate(experiment.stamps):
            log.add_state(stream, 0.0, stamp, names, run.z[k], run.zd[k], run.zdd[k], nothing,
                          run.q[k], run.qd[k], run.qdd[k])
    for step in _steps(setup, experiment, seed):
        e = step.estimate
        log.add_state('observer', 0.0, step.stamp, names, e.z, e.zd, e.zdd, e.covariance, e.q,
                      e.qd, e.qdd)
        log.lost_estimates.add(step.stamp, step.lost)
    counts = setup.stream.state.counts
    log.counters = Counters(log.end, counts.used, counts.rejected, counts.late)
    figures = accuracy_figures(log, {'estimator': name}, {'nees': NEES_BOUND}, '')
    return Verdict(objections(figures), figures)


def _steps(setup: EstimatorSetup, experiment: Experiment, seed: int) -> Iterator[Any]:
    """Yield the Steps of an estimator from the readings of an Experiment."""
    ends = np.cumsum([len(sensor.channels) for sensor in setup.sensors])[:-1]
    for stamp, row in zip(experiment.stamps, experiment.readings(seed), strict=True):
        there = [(sensor.name, values.tolist()) for sensor, values in zip(
            setup.sensors, np.split(row, ends), strict=True) if np.isfinite(values).all()]
        if there:
            yield from setup.judged(setup.stream.add_all(stamp, there))
