"""What all reports of runs have in common."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
import importlib.metadata
import os
import platform
from typing import Any

import numpy as np

from mb_evaluation.run_log.run_log import RunLog

FORMAT = 2      # raised when a key changes its meaning
PACKAGES = ('mb_evaluation', 'mujoco', 'numpy', 'scipy', 'numba')


def report_of(run: RunLog, kind: str, settings: dict[str, Any],
              created: str) -> dict[str, Any]:
    """Return the figures that every RunLog has.

    kind: of the report; settings: dict of what was asked for, copied to the top level; created:
    time of the run as text.
    """
    lost, counters = run.lost(), run.counters
    return {
        'format': FORMAT, 'kind': kind, 'created': created, **settings,
        'duration': run.duration, 'simulated': run.progress,
        'real_time_factor': run.real_time_factor(),
        'silent': run.silent, 'mixed_with_another_run': run.mixed,
        'time': run.time.figures(), 'stamped_outside': run.strangers,
        'messages_lost': sum(lost.values()), 'lost': lost, 'disturbed': run.bad_line is not None,
        'readings': {'due': len(run.due_readings), 'used': counters.used,
                     'rejected': counters.rejected, 'late': counters.late,
                     'missing': counters.missing},
        'complaints': [one.since(run.start) for one in run.complaints],
        'machine': machine(),
    }


def quantiles(values: Sequence[float]) -> dict[str, float] | None:
    """Return median, 99th percentile and maximum of wall times [s]; None for no values."""
    if not len(values):
        return None
    median, high = np.quantile(values, (0.5, 0.99))
    return {'median': float(median), 'p99': float(high), 'largest': float(np.max(values))}


def digest(stamps: np.ndarray, columns: Iterable[np.ndarray]) -> str:
    """Return a digest of stamps (k) [ns] and arrays: equal for runs that are, bit for bit."""
    return sha256(b''.join(np.ascontiguousarray(one).tobytes()
                           for one in (stamps, *columns))).hexdigest()[:16]


def machine() -> dict[str, Any]:
    """Return what the run was made with."""
    versions = {'python': platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return {'versions': versions, 'ros_distro': os.environ.get('ROS_DISTRO'),
            'platform': platform.platform(), 'processors': os.cpu_count()}
