"""The figures of an estimate against what is recorded of the truth, and objections to them."""

import numpy as np

from mb_evaluation.panels.curves import REACH
from mb_evaluation.reports.report import FORMAT, machine


def recorded_report(settings, judged, instants, counts):
    """Return the report of an estimate.

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


def objections(report):
    """Return objections to a run, in words; empty if it passed."""
    found = [f'{one["name"]}: errors of {one["rmse"]:.3g} {one["unit"]} are no smaller than of '
             f'always answering {one["constant"]:.3g}, {one["constant_rmse"]:.3g}'
             for one in report['judged'] if not one['rmse'] < one['constant_rmse']]
    found += [f'{one["name"]}: nothing expected at {one["unknown"]} instants'
              for one in report['judged'] if one['unknown']]
    found += [f'{report["readings"][what]} readings {what}' for what in ('rejected', 'late')
              if report['readings'][what]]
    if report['without_estimate']:
        found.append(f'{report["without_estimate"]} instants without an estimate')
    return found


def _rms(values):
    return float(np.sqrt((values ** 2).mean())) if values.size else float('nan')
