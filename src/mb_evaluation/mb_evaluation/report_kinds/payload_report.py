"""The report of a run with a payload: is the mass right, is the observer honest, is all there?"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from mb_evaluation.accuracy.errors import QUANTITIES
from mb_evaluation.report_kinds.payload_figures import payload_figures
from mb_evaluation.report_kinds.payload_panels import (
    liveliest,
    mass_panel,
    motion_panels,
    pressure_panels,
    valve_panels,
)
from mb_evaluation.reports.report import (
    Bound,
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Row,
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
    slow_remarks,
    speed_tile,
)
from mb_evaluation.run_log.diagnostics import LEFT_OUT
from mb_evaluation.run_log.payload_log import PayloadLog

HEADINGS = ('', 'truth', 'estimate', 'largest error', '95 % interval holds')


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    texts = silent_objections(figures)
    if figures['first_motion'] is None:
        texts.append('no cylinder moved faster than its transition velocity')
    for name, mass in figures['masses'].items():
        texts += _mass_objections(name, mass)
    slow = figures['updating']['below_transition_velocity']
    if slow:
        texts.append(f'{slow} updates of the mass below the transition velocity')
    texts += _coverage_objections(figures) + _complaint_objections(figures)
    return texts + message_objections(figures)


def _mass_objections(name: str, mass: Figures):
    """Return objections to the estimate of a mass."""
    texts = []
    if mass['unknown']:
        texts.append(f'{name}: no mass at {mass["unknown"]} instants')
    elif 'error_largest' not in mass:
        texts.append(f'{name}: the run is too short to judge the mass, which settles for 5 s')
    if mass.get('within_bound', 1.0) < 1.0:
        texts.append(
            f'{name}: up to {mass["error_largest"]:.3g} kg off, '
            f'{1.0 - mass["within_bound"]:.1%} of the time more than {mass["bound"]:.3g} kg')
    return texts


def remarks(figures: Figures) -> list[str]:
    """Return remarks that are no objections, in words."""
    high = figures['bounds']['coverage_high']
    return [f'{name}: 95 % intervals hold the truth {share:.1%} of the time, wider than needed'
            for name, share, _ in _judged_coverage(figures) if share > high]


def _coverage_objections(figures: Figures):
    """Return which intervals hold the truth too seldom, at all instants or while it moves."""
    low, texts = figures['bounds']['coverage_low'], []
    for name, share, moving in _judged_coverage(figures):
        what = f'{name}: 95 % intervals hold the truth'
        texts += beyond([Bound(what, share, low, 'of the time', least=True)]) or beyond([
            Bound(what, moving, low, 'of the time while cylinders move', least=True)])
    return texts


def _judged_coverage(figures: Figures):
    """Return (name, coverage, coverage in motion) of positions, velocities, pressures."""
    return [(name, one['coverage_95'], one['coverage_95_moving'])
            for name, one in figures['observer'].items()
            if name.endswith(('position', 'velocity', 'pressure'))
            and one['coverage_95'] is not None]


def _complaint_objections(figures: Figures):
    """Return which nodes complained of the same for long, in any words, unless it was asked for.

    The subject of a complaint is before its colon; the figures behind it change.
    """
    total, last = defaultdict(float), {}
    for one in figures['complaints']:
        if figures['disturbed'] and one['message'] == LEFT_OUT:
            continue
        key = one['node'], one['message'].partition(':')[0]
        end = figures['duration'] if one['to'] is None else min(one['to'], figures['duration'])
        total[key] += max(0.0, end - max(one['from'], 0.0))
        last[key] = one['message']
    return [f'{node} complained for {time / figures["duration"]:.0%} of the run: {last[node, what]}'
            for (node, what), time in total.items()
            if time > figures['bounds']['complaints'] * figures['duration']]


def mass_rows(figures: Figures) -> Sequence[Row]:
    """Return a row of texts for each mass."""
    return [(f'{name} [kg]', number_text(one['truth']),
             f'{number_text(one["estimate"])} ± {number_text(one["deviation"], ".2g")}',
             number_text(one.get('error_largest'), '.3g'), share_text(one.get('coverage_95')))
            for name, one in figures['masses'].items()]


def observer_rows(figures: Figures) -> Sequence[Row]:
    """Return a row of texts for each quantity of the observer."""
    return [(f'{name} [{unit}]', '', f'RMSE {number_text(one["rmse"] / scale, ".3g")}',
             number_text(one['largest'] / scale, '.3g'), share_text(one['coverage_95']))
            for (name, one), (unit, scale) in zip(figures['observer'].items(), _units(figures),
                                                  strict=False)]


def captions(figures: Figures) -> list[str]:
    """Return lines on settling, updating, events, speed and losses."""
    updating = figures['updating']
    begin = number_text(figures['first_motion'], '.2f')
    lines = [f'judged from 5 s after the first motion, {begin} s after the start · '
             f'updating {share_text(updating["share"])} of the time']
    if updating['reasons']:
        lines.append('not updating: ' + ', '.join(
            f'{reason} {share_text(share)}' for reason, share in updating['reasons'].items()))
    lines += [f'{reason}: {share_text(share)} of the time'
              for reason, share in updating['doubts'].items()]
    lines += [f'{one["time"]:.2f} s: {one["event"]}' for one in figures['events']]
    lines += remarks(figures)
    return [*lines, ended_line(figures)]


def _units(figures: Figures):
    """Return (unit, its value in SI) of z, zd, zdd, p, U."""
    units = figures['units']
    return [*((f'{unit}{per}', 1.0) for per in QUANTITIES.values() for unit in units),
            *(('MPa', 1e6),) * figures['volumes'], *(('-', 1.0),) * figures['valves']]


def _passed(figures: Figures):
    """Return the verdict without objections."""
    bounds = figures['bounds']
    return (f'masses within {bounds["mass_share"]:.0%} or {bounds["mass"]:g} kg, '
            'no interval of the observer too narrow, nothing lost')


def _tiles(figures: Figures):
    """Return the masses, and how often they were updated."""
    share = figures['updating']['share']
    return [*(Tile(f'{name} [kg]', f'{one["estimate"]:.4g} ± {one["deviation"]:.2g}',
                   f'truth {one["truth"]:g}, error up to {one.get("error_largest", np.nan):.2g}')
              for name, one in figures['masses'].items()),
            Tile('updating', number_text(share, '.0%'), 'of the time'),
            lost_tile(figures), speed_tile(figures)]


def _drawn(run: PayloadLog, figures: Figures):
    """Return the panels of masses, the work cycle, motion and pressures."""
    masses = [mass_panel(run, figures, k) for k in range(len(run.layout.masses))]
    sections = [Section('Work cycle', valve_panels(run)), Section('Motion', motion_panels(run)),
                Section('Pressures', pressure_panels(run))]
    stack = [panel for section in sections for panel in section.panels]
    return Drawn(sections, Picture(stack, above=masses, detail=liveliest(run)), first=masses)


REPORT = ReportKind(
    'payload', figures=payload_figures,
    title=lambda figures: (f'{figures["mechanism"]}: {", ".join(figures["masses"])} by '
                           f'{figures["estimator"]}'),
    passed=_passed, objections=objections, captions=captions, remarks=slow_remarks,
    tiles=_tiles, draw=_drawn,
    tables=lambda figures: [
        Table(HEADINGS, [mass_rows(figures), observer_rows(figures)], strong=2)],
    made_with=('prototype', 'estimator', 'cycle', 'seed', 'created'))
