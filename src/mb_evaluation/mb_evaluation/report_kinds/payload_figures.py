"""The figures of a run with a payload: errors of the masses, coverage, updating, losses."""

from collections import Counter
from typing import Any

import numpy as np

from mb_evaluation.accuracy.errors import QUANTITIES
from mb_evaluation.panels.panel import REACH
from mb_evaluation.reports.report import Figures
from mb_evaluation.reports.run_figures import figures_of_run, quantiles
from mb_evaluation.run_log.payload_log import PayloadLayout, PayloadLog


def payload_figures(run: PayloadLog, settings: dict[str, Any], bounds: dict[str, float],
                    created: str) -> Figures:
    """Return the figures of a PayloadLog.

    settings: dict of the run's settings, copied to the top level; bounds: dict of the verdict's
    bounds (mass [kg], mass_share, coverage_low, coverage_high, complaints); created: time of
    the run as text.
    """
    first = run.first_motion
    return figures_of_run(run, 'payload', settings, created) | {
        'units': list(run.layout.units), 'volumes': len(run.layout.volumes),
        'valves': len(run.layout.valves), 'bounds': bounds,
        'first_motion': None if first is None else run.seconds(first),
        'masses': _masses(run, bounds),
        'observer': _observer(run),
        'updating': _updating(run),
        'events': [{'time': run.seconds(stamp), 'event': event} for stamp, event in run.events],
        'timing': {'step_time': quantiles(run.step_times)},
    }


def observer_errors(run: PayloadLog) -> dict[
        str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return the errors of the observer by quantity: name -> (time (k) [s], errors, deviations).

    At the stamps of the truth; the observer claims the deviations.
    """
    if not len(run.truth) or not len(run.oil):
        return {}
    common = _common(run)
    estimates = np.hstack(run.estimate.columns(common)[:3] + run.oil.columns(common)[:2])
    truths = np.hstack(run.truth.columns(common)[:3] + run.true_oil.columns(common))
    deviations = run.oil.columns(common)[2]
    time = (common - run.start) * 1e-9
    return {name: (time, estimates[:, k] - truths[:, k], deviations[:, k])
            for k, name in enumerate(quantity_names(run.layout))}


def _common(run: PayloadLog):
    """Return the stamps (k) at which truth and observer are known."""
    return np.intersect1d(np.intersect1d(run.truth.stamps, run.true_oil.stamps),
                          np.intersect1d(run.estimate.stamps, run.oil.stamps))


def quantity_names(layout: PayloadLayout) -> list[str]:
    """Return the names of z, zd, zdd, p, U of a PayloadLayout, as the covariance has them."""
    return [*(f'{name} {quantity}' for quantity in QUANTITIES for name in layout.independent),
            *(f'{name} pressure' for name in layout.volumes),
            *(f'{name} spool' for name in layout.valves)]


def _masses(run: PayloadLog, bounds: dict[str, float]):
    """Return the errors of the masses, and whether the claimed deviations fit them."""
    masses = {}
    if not len(run.masses) or not len(run.true_masses):
        return masses
    stamps = run.masses.stamps
    mass, _, deviation, _ = run.masses.columns()
    truth, = run.true_masses.held(stamps)
    judged = run.judged(stamps)
    for k, name in enumerate(run.layout.masses):
        error = (mass - truth)[:, k]
        late = judged & np.isfinite(error)
        figures = {'truth': float(truth[-1, k]), 'estimate': float(mass[-1, k]),
                   'deviation': float(deviation[-1, k]), 'unknown': int((judged & ~late).sum())}
        if late.any():
            bound = np.maximum(bounds['mass'], bounds['mass_share'] * truth[late, k])
            figures |= {
                'bound': float(bound.min()), 'error_mean': float(error[late].mean()),
                'error_largest': float(np.abs(error[late]).max()),
                'within_bound': float((np.abs(error[late]) <= bound).mean()),
                'coverage_95': float((np.abs(error) <= REACH * deviation[:, k])[late].mean())}
        masses[name] = figures
    return masses


def _observer(run: PayloadLog):
    """Return root mean square, largest error and coverage of every quantity of the observer.

    Coverage at all instants, and while every cylinder truly moves: good intervals at rest would
    hide bad ones in motion.
    """
    errors = observer_errors(run)
    if not errors:
        return {}
    rates = run.truth.columns(_common(run))[3]
    moving = (np.abs(rates) > run.layout.transition_velocity).all(axis=1)
    return {name: {'rmse': float(np.sqrt(np.mean(error ** 2))),
                   'largest': float(np.abs(error).max()),
                   'coverage_95': _coverage(error, deviation),
                   'coverage_95_moving': _coverage(error[moving], deviation[moving])}
            for name, (_, error, deviation) in errors.items() if len(error)}


def _coverage(error: np.ndarray, deviation: np.ndarray):
    """Return how often 95 % intervals hold the truth; None if that is unknown."""
    if not len(error) or not np.isfinite(deviation).all():
        return None
    return float((np.abs(error) <= REACH * deviation).mean())


def _updating(run: PayloadLog):
    """Return when the masses were updated, and why not, as shares of all instants."""
    if not len(run.masses):
        return {'share': None, 'below_transition_velocity': None, 'reasons': {}, 'doubts': {}}
    updating = run.masses.columns()[3][:, 0] > 0.0
    stamps = np.intersect1d(run.masses.stamps[updating], run.estimate.stamps)
    rates = run.estimate.columns(stamps)[3]
    slow = (np.abs(rates) < run.layout.transition_velocity).all(axis=1)
    return {'share': float(updating.mean()), 'below_transition_velocity': int(slow.sum()),
            'reasons': _shares(run.reasons, len(updating)),
            'doubts': _shares(run.doubts, len(updating))}


def _shares(reasons: dict[int, str], count: int):
    """Return the share of each reason, by stamp, among a count of instants."""
    counted = Counter(reason for reason in reasons.values() if reason)
    return {reason: times / count for reason, times in counted.most_common()}
