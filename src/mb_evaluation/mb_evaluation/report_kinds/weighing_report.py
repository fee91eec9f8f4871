"""The report of a run with a tool that weighs: bounds, honest intervals, and missed goals."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.panels.panel import REACH, TRUE, Band, Curve, Panel, moment
from mb_evaluation.reports.report import (
    Bound,
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Section,
    Table,
    Tile,
    beyond,
    number_text,
    share_text,
)
from mb_evaluation.reports.run_figures import (
    digest,
    ended_line,
    figures_of_run,
    lost_tile,
    message_objections,
    quantiles,
    silent_objections,
    slow_remarks,
    speed_tile,
)
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


def _angles(run: WeighingLog, bounds: dict[str, float]):
    """Return RMSE [deg] and coverage of each angle after the learning, and its drift at rest."""
    if run.silent:
        return {}
    t, errors, deviations = run.errors()
    rest = run.rest_begin()
    working, standing = (t >= bounds['learning']) & (t < rest), t >= rest
    figures = {}
    for k, name in enumerate(run.angles):
        off = np.degrees(errors[:, k])
        held = np.abs(errors[:, k]) <= REACH * deviations[:, k]
        figures[name] = {
            'rmse': _rms(off[working]), 'largest': _largest(off[working]),
            'coverage_95': float(held[working].mean()) if working.any() else None,
            'rmse_at_rest': _rms(off[standing]),
            'drift': float(np.polyfit(t[standing] / 60.0, off[standing], 1)[0])
            if standing.any() and np.ptp(t[standing]) > LEAST_REST else None}
    return figures


def _loads(run: WeighingLog, bounds: dict[str, float]):
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


def _edge(run: WeighingLog, bounds: dict[str, float]):
    """Return the errors of the force at the edge while it digs, in % of its peak."""
    if not len(run.forces) or not len(run.true_forces) or not len(run.truth):
        return {}
    t, estimated, true = run.pushes()
    size = np.linalg.norm(true, axis=1)
    digging = (size > 0.0) & (t >= bounds['learning'])
    if not digging.any():
        return {}
    off, peak = np.linalg.norm(estimated - true, axis=1)[digging], float(size[digging].max())
    return {'peak': peak, 'rmse': 100.0 * _rms(off) / peak,
            'largest': 100.0 * _largest(off) / peak}


def _rms(values: ArrayLike):
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else None


def _largest(values: ArrayLike):
    return float(np.max(np.abs(values))) if len(values) else None


HEADINGS = ('', 'RMSE', 'largest error', '95 % interval holds', 'goal of the RMSE')
SCALE, PEAK = '% of full scale', '% of its peak'        # units
KILO = 1e-3


def _quantities(figures: Figures):
    """Return (name, unit, figures, word before the settings of its goal and bound) of all judged.
    """
    return [*((name, 'deg', one, 'angle') for name, one in figures['angles'].items()),
            ('load', SCALE, figures['loads'], 'load'),
            ('force at the edge', PEAK, figures['edge'], 'force')]


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    *angles, load, edge = (Bound(
        f'{name}: RMSE', one.get('rmse'), figures['bounds'][f'{word}_bound'], unit)
        for name, unit, one, word in _quantities(figures))
    texts = silent_objections(figures) + beyond(angles) + beyond(_intervals(figures))
    if not figures['silent'] and not figures['loads']['weighings']:
        texts.append('the run is too short: nothing was weighed after the learning')
    return texts + beyond([load, edge]) + message_objections(figures)


def _intervals(figures: Figures):
    """Yield the Bounds of how often estimates are within their own intervals.

    One of a few weighings may be beyond its interval of 95 % by chance.
    """
    least, loads = figures['bounds']['coverage_goal'], figures['loads']
    for name, one in figures['angles'].items():
        yield Bound(f'{name}: 95 % intervals hold the truth', one['coverage_95'], least,
                    'of the time', least=True)
    share = loads.get('coverage_95')
    if share is not None and round((1.0 - share) * len(loads['weighings'])) > 1:
        yield Bound('load: 95 % intervals hold the truth', share, least, 'of the weighings',
                    least=True)


def misses(figures: Figures) -> list[str]:
    """Return the goals that a run misses, in words: no objections."""
    bounds, goals = figures['bounds'], []
    for name, unit, one, word in _quantities(figures):
        keys = {'RMSE': 'rmse'}
        if word == 'load':
            keys |= {'largest error': 'largest', 'claimed deviation': 'deviation'}
        goals += [Bound(f'{name}: {label}', one.get(key), bounds[f'{word}_goal'], unit)
                  for label, key in keys.items()]
        if word == 'angle' and one['drift'] is not None:
            goals.append(Bound(f'{name}: drift at rest', abs(one['drift']), bounds['drift_goal'],
                               'deg/min'))
    return beyond(goals)


def _tables(figures: Figures):
    """Return the table of a row for each judged quantity."""
    return [Table(HEADINGS, [[
        (f'{name} [{unit}]', number_text(one.get('rmse'), '.3g'),
         number_text(one.get('largest'), '.3g'), share_text(one.get('coverage_95')),
         f'{figures["bounds"][f"{word}_goal"]:g}')
        for name, unit, one, word in _quantities(figures)]])]


def _captions(figures: Figures):
    """Return lines on the weighings, drifts, missed goals, speed and losses."""
    bounds = figures['bounds']
    lines = [f'judged from {bounds["learning"]:g} s on, full scale {bounds["full_scale"]:g} kg']
    lines += [f'{one["time"]:.1f} s: weighed {one["net"]:.0f} ± {one["deviation"]:.0f} kg, truth '
              f'{one["truth"]:.0f} kg' for one in figures['loads']['weighings']]
    drifts = {name: one['drift'] for name, one in figures['angles'].items()
              if one['drift'] is not None}
    if drifts:
        lines.append('drift at rest [deg/min]: ' + ', '.join(
            f'{name} {drift:.2g}' for name, drift in drifts.items()))
    if figures['edge']:
        lines.append(f'peak of the force at the edge {1e-3 * figures["edge"]["peak"]:.1f} kN')
    lines += [f'goal missed: {miss}' for miss in misses(figures)]
    return [*lines, ended_line(figures)]


def _passed(figures: Figures):
    """Return the verdict without objections."""
    bounds, missed = figures['bounds'], len(misses(figures))
    return (f'angles within {bounds["angle_bound"]:g} deg, loads within '
            f'{bounds["load_bound"]:g} %, force within {bounds["force_bound"]:g} % (RMSE), '
            f'nothing lost; goals missed: {missed or "none"}')


def _tiles(figures: Figures):
    """Return the last weighings, and what was lost."""
    return [*(Tile(f'{one["time"]:.0f} s', f'{one["net"]:.0f} ± {one["deviation"]:.0f} kg',
                   f'truth {one["truth"]:.0f} kg') for one in figures['loads']['weighings'][-3:]),
            lost_tile(figures), speed_tile(figures)]


def _drawn(run: WeighingLog, figures: Figures):
    """Return the panels of the load, the errors of angles, and the force at the edge."""
    load, angles, forces = load_panel(run, figures), angle_panels(run, figures), force_panels(run)
    return Drawn([Section('Angles', angles), Section('Force at the edge', forces)],
                 Picture([load, *angles, *forces]), first=[load])


def load_panel(run: WeighingLog, figures: Figures) -> Panel:
    """Return the Panel of the load: truth, weighings so far, and what they end with."""
    stamps = run.masses.stamps
    net, _, deviation = (column[:, 0] for column in run.masses.columns())
    time, truth = run.seconds(stamps), run.true_load.held(stamps)[0][:, 0]
    rows = figures['loads']['weighings']
    reach = REACH * deviation
    full = figures['bounds']['full_scale']
    curves = (Curve(x=time, y=truth, **TRUE), Band('95 %', time, net - reach, net + reach),
              Curve('weighing', time, net, 'observer', 2.2, reach=reach),
              Curve('weighed', np.array([row['time'] for row in rows]),
                    np.array([row['net'] for row in rows]), 'model', 6.0, dots=True))
    return Panel('load in the tool', 'kg', curves, _begin(figures), (-0.1 * full, 1.2 * full),
                 wide=True)


def angle_panels(run: WeighingLog, figures: Figures) -> list[Panel]:
    """Return the Panels of the errors of the angles [deg], with their intervals."""
    if run.silent:
        return []
    t, errors, deviations = run.errors()
    panels = []
    for k, name in enumerate(run.angles):
        off, reach = np.degrees(errors[:, k]), np.degrees(REACH * deviations[:, k])
        panels.append(Panel(f'{name}: error', 'deg', (
            Band('95 %', t, -reach, reach), Curve('observer', t, off, 'observer')),
            _begin(figures), (-6.0, 6.0)))
    return panels


def force_panels(run: WeighingLog) -> list[Panel]:
    """Return the Panels of the force at the edge, along x and z of the house."""
    t, estimated, true = run.pushes()
    return [Panel(f'force at the edge along {axis}', 'kN', (
        Curve(x=t, y=KILO * true[:, k], **TRUE),
        Curve('estimate', t, KILO * estimated[:, k], 'observer'))) for k, axis in enumerate('xz')]


def _begin(figures: Figures):
    return (moment(figures['bounds']['learning'], 'faint', 'judged from here', 'dot'),)


REPORT = ReportKind(
    'weighing', figures=weighing_figures,
    title=lambda figures: (f'{figures["mechanism"]}: weighed without encoders, by '
                           f'{figures["estimator"]}'),
    passed=_passed, objections=objections, tables=_tables, captions=_captions,
    remarks=slow_remarks, tiles=_tiles, draw=_drawn,
    made_with=('prototype', 'estimator', 'cycle', 'seed', 'truth_digest', 'created'))
