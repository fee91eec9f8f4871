"""The figures of a run with a tool that weighs."""

from typing import Any

import numpy as np

from mb_evaluation.panels.curves import REACH
from mb_evaluation.reports.report import Figures
from mb_evaluation.reports.run_figures import digest, figures_of_run, quantiles
from mb_evaluation.run_log.weighing_log import WeighingLog

LEAST_REST = 10.0       # s, from which on a drift is found


def weighing_figures(run: WeighingLog, settings: dict[str, Any], bounds: dict[str, float],
                     created: str) -> Figures:
    """Return the figures of a WeighingLog.

    settings: dict of the run's settings; bounds: dict of what is judged by: learning [s],
    full_scale [kg], angle_goal [deg], load_goal, force_goal [%], and each with `bound` in place of
    `goal`, drift_goal [deg/min], coverage_goal; created: time of the run as text.
    """
    return figures_of_run(run, 'weighing', settings, created) | {
        'bounds': bounds, 'angles': _angles(run, bounds), 'loads': _loads(run, bounds),
        'edge': _edge(run, bounds),
        # Of angles and rates: whatever else differs moves them, too.
        'truth_digest': digest(run.truth.stamps, run.truth.columns()[:2]),
        'timing': {'step_time': quantiles(run.step_times)}}


def _angles(run, bounds):
    """Return RMSE [deg] and coverage of each angle after the learning, and its drift at rest."""
    if run.silent:
        return {}
    t, errors, deviations = run.errors()
    rest = run.rest_begin()
    working, standing = (t >= bounds['learning']) & (t < rest), t >= rest
    found = {}
    for k, name in enumerate(run.angles):
        off = np.degrees(errors[:, k])
        held = np.abs(errors[:, k]) <= REACH * deviations[:, k]
        found[name] = {
            'rmse': _rms(off[working]), 'largest': _largest(off[working]),
            'coverage_95': float(held[working].mean()) if working.any() else None,
            'rmse_at_rest': _rms(off[standing]),
            'drift': float(np.polyfit(t[standing] / 60.0, off[standing], 1)[0])
            if standing.any() and np.ptp(t[standing]) > LEAST_REST else None}
    return found


def _loads(run, bounds):
    """Return the weighings after the learning, and their errors in % of full scale."""
    rows = []
    for one in run.weighings:
        time = float(run.seconds(one.stamp))
        inside = run.true_load.stamps[run.true_load.stamps <= one.stamp]
        if time < bounds['learning'] or not np.isfinite(one.net) or not len(inside):
            continue
        # The load at the end of a weighing may be falling out already.
        window = run.true_load.held(np.array([one.stamp - 1_000_000_000]))[0]
        rows.append({'time': time, 'truth': float(window[0, 0]), 'net': one.net,
                     'gross': one.gross, 'deviation': one.deviation})
    if not rows:
        return {'weighings': []}
    off = np.array([row['net'] - row['truth'] for row in rows])
    deviations = np.array([row['deviation'] for row in rows])
    scale = 100.0 / bounds['full_scale']
    return {'weighings': rows, 'rmse': _rms(off * scale), 'largest': _largest(off * scale),
            'deviation': float(deviations.mean() * scale),
            'coverage_95': float((np.abs(off) <= REACH * deviations).mean())}


def _edge(run, bounds):
    """Return the errors of the force at the edge while it digs, in % of its peak."""
    if not len(run.forces) or not len(run.true_forces) or not len(run.truth):
        return {}
    t, found, true = run.pushes()
    size = np.linalg.norm(true, axis=1)
    digging = (size > 0.0) & (t >= bounds['learning'])
    if not digging.any():
        return {}
    off, peak = np.linalg.norm(found - true, axis=1)[digging], float(size[digging].max())
    return {'peak': peak, 'rmse': 100.0 * _rms(off) / peak,
            'largest': 100.0 * _largest(off) / peak}


def _rms(values):
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else None


def _largest(values):
    return float(np.max(np.abs(values))) if len(values) else None
