"""The report of a run of the three-simulation method: every figure in one dictionary."""

from mb_estimators import agreement
from mb_evaluation.accuracy.innovation import figures_of_all
from mb_evaluation.reports.report import quantiles, report_of

FORMAT = 4      # raised when a key changes its meaning


def make_report(run, settings, bounds, created):
    """Return the report of an AccuracyLog.

    settings: dict of the run's settings (mechanism, estimator, sensors, seed, ...), copied to the
    top level; bounds: of the verdict, by name; created: time of the run as text.
    """
    errors = run.errors()
    return report_of(run, kind='accuracy', settings=settings, created=created) | {
        'format': FORMAT,
        'bounds': bounds,
        'degrees_of_freedom': run.names,
        'units': [run.units.get(name, 'rad') for name in run.names],
        'model': errors['model'].figures() if 'model' in errors else None,
        'observer': errors['observer'].figures() if 'observer' in errors else None,
        'parameters': {name: track.figures() for name, track in run.parameters.items()},
        'estimate_lost': run.lost_estimates.figures(run.start),
        'undetermined': list(run.undetermined),
        'consistency': _consistency(run, errors.get('observer')),
        'timing': {'step_time': quantiles(run.step_times), 'latency': _latency(run)},
    }


def _latency(run):
    """Return quantiles of the latencies of estimates and when the largest was, or None."""
    latencies = run.latencies()
    if not latencies:
        return None
    latest = max(latencies, key=latencies.get)
    return {**quantiles(list(latencies.values())), 'largest_at': run.seconds(latest)}


def _consistency(run, observer):
    """Return how well the claimed covariances agree with the errors."""
    mean, inside = agreement(run.nis, run.nis_sizes) if run.nis else (None, None)
    return {
        'coverage_95': observer.coverage() if observer else {},
        'nis': {'mean_per_channel': mean, 'inside_95': inside},
        'nees': observer.nees() if observer else None,
        'sensors': figures_of_all(run.innovations.values(), run.start),
    }
