"""The report of a run: every figure in one dictionary."""

import importlib.metadata
import os
import platform

import numpy as np

from mb_estimators.consistency import agreement
from mb_evaluation.accuracy.innovation import figures_of_all

FORMAT = 3      # raised when a key changes its meaning
PACKAGES = ('mb_evaluation', 'mujoco', 'numpy', 'scipy', 'numba')


def make_report(run, settings, bounds, created):
    """Return the report of a ThreeSimulationRun.

    settings: dict of what was asked for (mechanism, estimator, sensors, seed, ...), copied to the
    top level; bounds: by which it is judged, by name; created: time of the run as text.
    """
    lost = run.lost()
    errors = run.errors()
    report = {
        'format': FORMAT,
        'kind': 'accuracy',
        'created': created,
        **settings,
        'bounds': bounds,
        'duration': run.duration,
        'simulated': run.progress,
        'real_time_factor': run.real_time_factor(),
        'messages_lost': sum(lost.values()),
        'lost': lost,
        'mixed_with_another_run': run.mixed,
        'time': run.time.figures(), 'stamped_outside': run.strangers,
        'readings': {'used': run.counters.used, 'rejected': run.counters.rejected,
                     'late': run.counters.late, 'missing': run.counters.missing},
        'degrees_of_freedom': run.names,
        'units': [run.units.get(name, 'rad') for name in run.names],
        'model': errors['model'].figures() if 'model' in errors else None,
        'observer': errors['observer'].figures() if 'observer' in errors else None,
        'parameters': {name: track.figures() for name, track in run.parameters.items()},
        'estimate_lost': run.lost_estimates.figures(run.start),
        'undetermined': list(run.undetermined),
        'consistency': _consistency(run, errors.get('observer')),
        'timing': {'step_time': quantiles(run.step_times), 'latency': _latency(run)},
        'machine': machine(),
    }
    return report


def quantiles(values):
    """Return median, 99th percentile and maximum of wall times [s]; None for no values."""
    if not len(values):
        return None
    median, high = np.quantile(values, (0.5, 0.99))
    return {'median': float(median), 'p99': float(high), 'largest': float(np.max(values))}


def _latency(run):
    """Return the same of the times that estimates take, and when the largest was; None for none."""
    latencies = run.latencies()
    if not latencies:
        return None
    latest = max(latencies, key=latencies.get)
    return {**quantiles(list(latencies.values())), 'largest_at': (latest - run.start) * 1e-9}


def _consistency(run, observer):
    """Return how well the claimed covariances agree with what happened."""
    mean, inside = agreement(run.nis, run.nis_sizes) if run.nis else (None, None)
    return {
        'coverage_95': observer.coverage() if observer else {},
        'nis': {'mean_per_channel': mean, 'inside_95': inside},
        'nees': observer.nees() if observer else None,
        'sensors': figures_of_all(run.innovations.values(), run.start),
    }


def machine():
    """Return what the run was made with."""
    versions = {'python': platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return {'versions': versions, 'ros_distro': os.environ.get('ROS_DISTRO'),
            'platform': platform.platform(), 'processors': os.cpu_count()}
