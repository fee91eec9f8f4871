"""The report of an estimate against what a recording has of the truth: nearer than a constant?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators import ImpossibleReadingError, make_filter
from mb_evaluation.panels.panel import REACH, Band, Curve, Panel
from mb_evaluation.reports.report import (
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Section,
    Table,
    Tile,
    number_text,
)
from mb_evaluation.reports.run_figures import FORMAT, machine
from mb_model import FreeOrientations, Mechanism
from mb_sensors import Sensor


@dataclass(frozen=True)
class Judged:
    """A quantity whose truth is recorded, at k instants.

    constant: the simplest answer, to be bettered: zero for a force, the mean of all readings of a
    sensor, which only hindsight knows; deviation (k): of estimate - truth, NaN where the estimator
    gives none.
    """

    name: str
    unit: str
    constant: float
    stamps: np.ndarray          # (k) [ns]
    truth: np.ndarray           # (k)
    estimate: np.ndarray        # (k)
    deviation: np.ndarray       # (k)


def judge_forces(mechanism: Mechanism, truth: Mapping[int, Sequence[float]],
                 estimates: Mapping[int, tuple[Sequence[float], Sequence[float]]]) -> list[Judged]:
    """Return a Judged for each degree of freedom.

    truth: stamp [ns] -> forces (g); estimates: stamp -> (forces (g), deviations (g) or nothing).
    """
    stamps = sorted(truth.keys() & estimates.keys())
    if not stamps:
        return []
    true, estimated, deviations = (np.array([value(stamp) for stamp in stamps]) for value in (
        truth.get, lambda stamp: estimates[stamp][0],
        lambda stamp: estimates[stamp][1] or [np.nan] * mechanism.g))
    return [Judged(f'unknown force on {name}', 'N m' if mechanism.unit(name) == 'rad' else 'N', 0.0,
                   np.array(stamps), true[:, k], estimated[:, k], deviations[:, k])
            for k, name in enumerate(mechanism.independent)]


def judge_readings(mechanism: Mechanism, sensor: Sensor, readings: Mapping[int, Sequence[float]],
                   states: Iterable[tuple]) -> list[Judged]:
    """Return a Judged for each channel of a sensor that the filter was not given.

    What it should read follows from the estimate, as the prediction of a filter that has this
    sensor alone.  readings: stamp [ns] -> values; states: samples of a Track.  Raises ValueError
    for a sensor that reads accelerations, which no state determines where forces are unknown, and
    where orientations are degrees of freedom.
    """
    if len(FreeOrientations(mechanism)):
        raise ValueError(f'{mechanism.name}: orientations are degrees of freedom, which readings '
                         'do not judge')
    if sensor.records['reads_accelerations'].any():
        raise ValueError(f'{sensor.name}: reads accelerations, which no estimate can be judged by')
    filter_ = make_filter('error_ekf', mechanism, [sensor], 1e-3, gate=0.0)
    states = [state for state in states if state[0] in readings]
    if not states:
        return []
    stamps, count, size = [], len(sensor.channels), 2 * mechanism.g
    true, expected, deviation = (np.full((len(states), count), np.nan) for _ in range(3))
    for k, (stamp, z, zd, _, covariance, *_) in enumerate(states):
        stamps.append(stamp)
        true[k] = readings[stamp]
        filter_.reset(z, zd, covariance[:size, :size])
        try:
            fit = filter_.correct(true[k])
        except ImpossibleReadingError:
            continue
        expected[k, fit.channels] = true[k, fit.channels] - fit.residual
        deviation[k, fit.channels] = np.sqrt(np.diagonal(fit.covariance))
    return [Judged(name, sensor.unit, float(np.nanmean(true[:, i])), np.array(stamps), true[:, i],
                   expected[:, i], deviation[:, i]) for i, name in enumerate(sensor.channels)]


HEADINGS = ('quantity', 'unit', 'RMSE of a constant', 'RMSE, causal', 'largest error',
            '95 % interval holds [%]')
CONSTANT = 'The constant is zero for a force, and for a sensor the mean of all its readings.'


def recorded_figures(settings: dict[str, Any], judged: list[Judged], instants: int,
                     counts: dict[str, int]) -> Figures:
    """Return the figures of an estimate.

    settings: what was asked for, copied; judged: list of Judged; instants: how many the truth has;
    counts: of readings by what became of them.  Raises ValueError where nothing can be judged.
    """
    if not judged:
        raise ValueError('no estimate at an instant whose truth is known')
    stamps = judged[0].stamps
    return {
        'format': FORMAT, 'kind': 'recorded', **settings,
        'duration': 1e-9 * int(stamps[-1] - stamps[0]), 'instants': len(stamps),
        'without_estimate': instants - len(stamps), 'judged': [_figures(one) for one in judged],
        'readings': counts, 'machine': machine()}


def _figures(one: Judged):
    """Return what is reported of a Judged; `held`: share of its 95 % intervals with the truth."""
    error = one.estimate - one.truth
    known = np.isfinite(error)
    claimed = known & np.isfinite(one.deviation)
    held = np.abs(error[claimed]) <= REACH * one.deviation[claimed]
    return {'name': one.name, 'unit': one.unit, 'constant': one.constant,
            'constant_rmse': _rms(one.truth[known] - one.constant), 'rmse': _rms(error[known]),
            'largest_error': float(np.abs(error[known]).max(initial=0.0)),
            'unknown': int((~known).sum()), 'held': float(held.mean()) if held.size else None}


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    texts = [f'{one["name"]}: errors of {one["rmse"]:.3g} {one["unit"]} are no smaller than of '
             f'always answering {one["constant"]:.3g}, {one["constant_rmse"]:.3g}'
             for one in figures['judged'] if not one['rmse'] < one['constant_rmse']]
    texts += [f'{one["name"]}: nothing expected at {one["unknown"]} instants'
              for one in figures['judged'] if one['unknown']]
    texts += [f'{figures["readings"][what]} readings {what}' for what in ('rejected', 'late')
              if figures['readings'][what]]
    if figures['without_estimate']:
        texts.append(f'{figures["without_estimate"]} instants without an estimate')
    return texts


def _rms(values: np.ndarray):
    return float(np.sqrt((values ** 2).mean())) if values.size else float('nan')


def _tables(figures: Figures):
    """Return the table of what is judged."""
    return [Table(HEADINGS, [[
        (one['name'], one['unit'],
         *(f'{one[key]:.3g}' for key in ('constant_rmse', 'rmse', 'largest_error')),
         '-' if one['held'] is None else f'{100.0 * one["held"]:.1f}')
        for one in figures['judged']]], words=(0, 1))]


def _tiles(figures: Figures):
    """Return what is judged, beside a constant."""
    return [Tile(f'{one["name"]} [{one["unit"]}]', number_text(one['rmse'], '.3g'),
                 f'a constant {one["constant_rmse"]:.3g}') for one in figures['judged']]


def _drawn(judged: list[Judged], _):
    """Return a panel over time of every quantity that is judged."""
    panels = []
    for one in judged:
        t = 1e-9 * (one.stamps - judged[0].stamps[0])
        reach = REACH * one.deviation
        panels.append(Panel(one.name, one.unit, (
            Band('95 % interval', t, one.estimate - reach, one.estimate + reach),
            Curve('truth', t, one.truth, 'truth', 1.7),
            Curve('estimate', t, one.estimate, 'observer', 1.7))))
    return Drawn([Section('Truth and estimate', panels)], Picture(panels))


REPORT = ReportKind(
    'recorded',
    title=lambda figures: (f'{figures["recording"]}: by {figures["estimator"]}, '
                           f'{figures["duration"]:.1f} s'),
    passed=lambda _: 'nearer to the truth than a constant', objections=objections, tables=_tables,
    introduction=lambda figures: [figures['given']], captions=lambda _: [CONSTANT], tiles=_tiles,
    draw=_drawn)
