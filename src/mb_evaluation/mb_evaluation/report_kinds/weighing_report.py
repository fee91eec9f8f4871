"""The report of a run with a tool that weighs: bounds, honest intervals, and missed goals."""

import numpy as np

from mb_evaluation.panels.curves import REACH, TRUE, Band, Curve
from mb_evaluation.panels.panel import Panel, moment
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
    ended_line,
    lost_tile,
    message_objections,
    silent_objections,
    speed_tile,
)
from mb_evaluation.run_log.weighing_log import WeighingLog

HEADINGS = ('', 'RMSE', 'largest error', '95 % interval holds', 'goal of the RMSE')
SCALE, PEAK = '% of full scale', '% of its peak'        # units
KILO = 1e-3


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    bounds, loads, edge = (figures[key] for key in ('bounds', 'loads', 'edge'))
    found = silent_objections(figures)
    found += beyond(Bound(f'{name}: RMSE', one['rmse'], bounds['angle_bound'], 'deg')
                    for name, one in figures['angles'].items())
    found += beyond(_intervals(figures))
    if not figures['silent'] and not loads['weighings']:
        found.append('the run is too short: nothing was weighed after the learning')
    found += beyond([
        Bound('load: RMSE', loads.get('rmse'), bounds['load_bound'], SCALE),
        Bound('force at the edge: RMSE', edge.get('rmse'), bounds['force_bound'], PEAK)])
    return found + message_objections(figures)


def _intervals(figures):
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
    bounds, loads, edge = (figures[key] for key in ('bounds', 'loads', 'edge'))
    goals = []
    for name, one in figures['angles'].items():
        drift = None if one['drift'] is None else abs(one['drift'])
        goals += [Bound(f'{name}: RMSE', one['rmse'], bounds['angle_goal'], 'deg'),
                  Bound(f'{name}: drift at rest', drift, bounds['drift_goal'], 'deg/min')]
    goals += [Bound(f'load: {what}', loads.get(key), bounds['load_goal'], SCALE) for what, key in (
        ('RMSE', 'rmse'), ('largest error', 'largest'), ('claimed deviation', 'deviation'))]
    return beyond([*goals, Bound('force at the edge: RMSE', edge.get('rmse'),
                                 bounds['force_goal'], PEAK)])


def _tables(figures):
    """Return the table of a row for each judged quantity."""
    quantities = [(f'{name} [deg]', one, 'angle_goal') for name, one in figures['angles'].items()]
    quantities += [('load [% of full scale]', figures['loads'], 'load_goal'),
                   ('force at the edge [% of its peak]', figures['edge'], 'force_goal')]
    return [Table(HEADINGS, [[
        (name, number_text(one.get('rmse'), '.3g'), number_text(one.get('largest'), '.3g'),
         share_text(one.get('coverage_95')), f'{figures["bounds"][goal]:g}')
        for name, one, goal in quantities]])]


def _captions(figures):
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


def _passed(figures):
    """Return the verdict without objections."""
    bounds, missed = figures['bounds'], len(misses(figures))
    return (f'angles within {bounds["angle_bound"]:g} deg, loads within '
            f'{bounds["load_bound"]:g} %, force within {bounds["force_bound"]:g} % (RMSE), '
            f'nothing lost; goals missed: {missed or "none"}')


def _tiles(figures):
    """Return the last weighings, and what was lost."""
    return [*(Tile(f'{one["time"]:.0f} s', f'{one["net"]:.0f} ± {one["deviation"]:.0f} kg',
                   f'truth {one["truth"]:.0f} kg') for one in figures['loads']['weighings'][-3:]),
            lost_tile(figures), speed_tile(figures)]


def _drawn(run, figures):
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
    found = []
    for k, name in enumerate(run.angles):
        off, reach = np.degrees(errors[:, k]), np.degrees(REACH * deviations[:, k])
        found.append(Panel(f'{name}: error', 'deg', (
            Band('95 %', t, -reach, reach), Curve('observer', t, off, 'observer')),
            _begin(figures), (-6.0, 6.0)))
    return found


def force_panels(run: WeighingLog) -> list[Panel]:
    """Return the Panels of the force at the edge, along x and z of the house."""
    t, found, true = run.pushes()
    return [Panel(f'force at the edge along {axis}', 'kN', (
        Curve(x=t, y=KILO * true[:, k], **TRUE),
        Curve('estimate', t, KILO * found[:, k], 'observer'))) for k, axis in enumerate('xz')]


def _begin(figures):
    return (moment(figures['bounds']['learning'], 'faint', 'judged from here', 'dot'),)


REPORT = ReportKind(
    'weighing',
    title=lambda figures: (f'{figures["mechanism"]}: weighed without encoders, by '
                           f'{figures["estimator"]}'),
    passed=_passed, objections=objections, tables=_tables, captions=_captions, tiles=_tiles,
    draw=_drawn,
    made_with=('prototype', 'estimator', 'cycle', 'seed', 'truth_digest', 'created'))
