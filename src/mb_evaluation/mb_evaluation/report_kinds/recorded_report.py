"""The report of an estimate against what a recording has of the truth: nearer than a constant?"""

from typing import Any

import numpy as np

from mb_evaluation.panels.curves import REACH, Band, Curve
from mb_evaluation.panels.panel import Panel
from mb_evaluation.report_kinds.recorded_truth import Judged
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


def _figures(one):
    """Return what is reported of a Judged; `held`: share of its 95 % intervals with the truth."""
    error = one.found - one.truth
    known = np.isfinite(error)
    claimed = known & np.isfinite(one.deviation)
    held = np.abs(error[claimed]) <= REACH * one.deviation[claimed]
    return {'name': one.name, 'unit': one.unit, 'constant': one.constant,
            'constant_rmse': _rms(one.truth[known] - one.constant), 'rmse': _rms(error[known]),
            'largest_error': float(np.abs(error[known]).max(initial=0.0)),
            'unknown': int((~known).sum()), 'held': float(held.mean()) if held.size else None}


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    found = [f'{one["name"]}: errors of {one["rmse"]:.3g} {one["unit"]} are no smaller than of '
             f'always answering {one["constant"]:.3g}, {one["constant_rmse"]:.3g}'
             for one in figures['judged'] if not one['rmse'] < one['constant_rmse']]
    found += [f'{one["name"]}: nothing expected at {one["unknown"]} instants'
              for one in figures['judged'] if one['unknown']]
    found += [f'{figures["readings"][what]} readings {what}' for what in ('rejected', 'late')
              if figures['readings'][what]]
    if figures['without_estimate']:
        found.append(f'{figures["without_estimate"]} instants without an estimate')
    return found


def _rms(values):
    return float(np.sqrt((values ** 2).mean())) if values.size else float('nan')


def _tables(figures):
    """Return the table of what is judged."""
    return [Table(HEADINGS, [[
        (one['name'], one['unit'],
         *(f'{one[key]:.3g}' for key in ('constant_rmse', 'rmse', 'largest_error')),
         '-' if one['held'] is None else f'{100.0 * one["held"]:.1f}')
        for one in figures['judged']]], words=(0, 1))]


def _tiles(figures):
    """Return what is judged, beside a constant."""
    return [Tile(f'{one["name"]} [{one["unit"]}]', number_text(one['rmse'], '.3g'),
                 f'a constant {one["constant_rmse"]:.3g}') for one in figures['judged']]


def _drawn(judged, _):
    """Return a panel over time of every quantity that is judged."""
    panels = []
    for one in judged:
        t = 1e-9 * (one.stamps - judged[0].stamps[0])
        reach = REACH * one.deviation
        panels.append(Panel(one.name, one.unit, (
            Band('95 % interval', t, one.found - reach, one.found + reach),
            Curve('truth', t, one.truth, 'truth', 1.7),
            Curve('estimate', t, one.found, 'observer', 1.7)), across='time'))
    return Drawn([Section('Truth and estimate', panels)], Picture(panels))


REPORT = ReportKind(
    'recorded',
    title=lambda figures: (f'{figures["recording"]}: by {figures["estimator"]}, '
                           f'{figures["duration"]:.1f} s'),
    passed=lambda _: 'nearer to the truth than a constant', objections=objections, tables=_tables,
    introduction=lambda figures: [figures['given']], captions=lambda _: [CONSTANT], tiles=_tiles,
    draw=_drawn)
