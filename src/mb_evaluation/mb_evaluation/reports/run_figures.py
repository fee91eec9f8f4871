"""What the reports of all runs have in common: figures, and objections to messages and time."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
import importlib.metadata
import os
import platform
from typing import Any

import numpy as np

from mb_evaluation.reports.report import Figures, Tile, number_text
from mb_evaluation.run_log.run_log import RunLog

FORMAT = 2      # raised when a key changes its meaning
KEPT_UP = 0.95          # of the speed that was asked for, at least, by a run in real time
LATE = 0.1              # after the truth, from where an estimate is not one of the present [s]
PACKAGES = ('mb_evaluation', 'mujoco', 'numpy', 'scipy', 'numba')


def figures_of_run(run: RunLog, kind: str, settings: dict[str, Any], created: str) -> Figures:
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


def silent_objections(figures: Figures) -> list[str]:
    """Return which streams of a run had no message, in words."""
    return [f'no message came from {name}' for name in figures['silent']]


def message_objections(figures: Figures) -> list[str]:
    """Return objections to the messages of a run, in words."""
    texts = []
    if figures['mixed_with_another_run']:
        texts.append('another run published on the same topics: ROS_DOMAIN_ID keeps runs apart')
    texts += _time_objections(figures['time'])
    if figures['stamped_outside']:
        texts.append(f'{figures["stamped_outside"]} messages were stamped outside of the run')
    lost = figures['messages_lost']
    if lost:
        parts = ', '.join(f'{kind} {count}' for kind, count in figures['lost'].items() if count)
        texts.append(f'{lost} messages lost ({parts})')
    return texts


def _time_objections(time: dict[str, Any]):
    """Return objections to the time of a run, by its figures, in words."""
    texts = []
    if time['steps_back']:
        first = time['first_steps'][0]
        texts.append(f'time has stepped back {time["steps_back"]} times, first from '
                     f'{first["from"]:.3f} s to {first["to"]:.3f} s: another process published '
                     '/clock')
    if time['publishers']:
        texts.append(f'{time["publishers"]}: ROS_DOMAIN_ID keeps runs apart')
    return texts


def ended_line(figures: Figures) -> str:
    """Return one line on the speed of a run that has ended, and on what it lost."""
    readings = figures['readings']
    return (f'{figures["duration"]:g} s simulated · real-time factor '
            f'{number_text(figures["real_time_factor"], ".2f")} · messages lost '
            f'{figures["messages_lost"]} · readings used {readings["used"]}, rejected '
            f'{readings["rejected"]}')


def slow_remarks(figures: Figures) -> list[str]:
    """Return what a run says that did not keep up with real time, and what helps; often nothing.

    Nothing is wrong with its estimates: they count by their stamps, and what is lost is counted.
    """
    factor, latency = figures['real_time_factor'], figures.get('timing', {}).get('latency')
    asked = figures.get('real_time_factor_asked', 1.0)
    parts = []
    if factor is not None and factor < KEPT_UP * asked:
        parts.append(f'it went at {100.0 * factor / asked:.0f} % of the speed that was asked for')
    if latency and latency['median'] > LATE:
        parts.append(f'estimates came {latency["median"]:.3g} s after the truth')
    if not parts:
        return []
    slower = 0.5 * min(asked, asked if factor is None else factor)
    return [f'this computer was too slow or too busy for the run: {", ".join(parts)}; errors are '
            'judged by stamps all the same. What helps: nothing else that runs, '
            f'real_time_factor:={slower:.1g}, a filter of shorter steps, and `make setup` '
            'before, which compiles all kernels']


def lost_tile(figures: Figures) -> Tile:
    """Return the Tile of messages that were lost."""
    return Tile('messages lost', str(figures['messages_lost']),
                f'{figures["readings"]["used"]} readings used')


def speed_tile(figures: Figures) -> Tile:
    """Return the Tile of the real-time factor."""
    return Tile('real-time factor', number_text(figures['real_time_factor'], '.2f'),
                f'{figures["duration"]:g} s simulated')
