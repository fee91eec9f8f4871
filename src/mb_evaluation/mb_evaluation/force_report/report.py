"""The figures of unknown forces against the truth, and objections to them."""

import numpy as np

from mb_evaluation.reports.report import FORMAT, machine


def force_report(settings, truth, found, counts):
    """Return the report of estimated forces.

    settings: what was asked for, copied; truth, found: stamp [ns] -> forces (g) [N or N m]; counts:
    of readings by what became of them.  Raises ValueError where no stamp is in both.
    """
    stamps = sorted(truth.keys() & found.keys())
    if not stamps:
        raise ValueError('no estimate at an instant whose true forces are known')
    of, by = (np.array([forces[stamp] for stamp in stamps]) for forces in (truth, found))
    return {
        'format': FORMAT, 'kind': 'force', **settings, 'duration': 1e-9 * (stamps[-1] - stamps[0]),
        'instants': len(stamps), 'without_estimate': len(truth.keys() - found.keys()),
        'zero_rmse': _rms(of), 'rmse': _rms(by - of),
        'largest_error': np.abs(by - of).max(axis=0).tolist(), 'readings': counts,
        'machine': machine()}


def objections(report):
    """Return objections to a run, in words; empty if it passed."""
    found = [f'{name}: errors of {ours:.3g} N m are no smaller than of answering zero, {zero:.3g}'
             for name, ours, zero in zip(report['degrees_of_freedom'], report['rmse'],
                                         report['zero_rmse'], strict=True) if ours >= zero]
    found += [f'{report["readings"][what]} readings {what}' for what in ('rejected', 'late')
              if report['readings'][what]]
    if report['without_estimate']:
        found.append(f'{report["without_estimate"]} instants without an estimate')
    return found


def _rms(values):
    return np.sqrt((values ** 2).mean(axis=0)).tolist()
