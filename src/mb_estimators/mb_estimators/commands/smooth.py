"""Estimate the motion in a bag by all of its readings: a filter forward, a smoother back."""

import argparse
from pathlib import Path
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from mb_estimators.commands.exits import told
from mb_estimators.commands.options import (
    add_filter_arguments,
    add_truth_argument,
    commanded_valves,
    filter_settings,
    model_and_sensors,
)
from mb_estimators.plugins import make_filter
from mb_estimators.recording.bag import read_recording
from mb_estimators.smoothing.output import save
from mb_estimators.smoothing.smooth import smooth

_EXAMPLE = """
example:
  ros2 run mb_estimators smooth results/latest/bag --estimator error_ekf_fe \\
      --sensors crank_encoder --model-error gravity=-1 --model-error z0=pi/16 --save smoothed.npz
"""
_ERRORS = {'position_rmse': '', 'position_rmse_after_2s': '', 'velocity_rmse': '/s',
           'acceleration_rmse': '/s^2'}


def main(arguments=None):
    """Run the command; return the exit code."""
    return told(_smooth, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_estimators smooth', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_filter_arguments(parser)
    add_truth_argument(parser)
    parser.add_argument('--save', metavar='PATH', help='FILE.npz, or the folder of a new bag with '
                        'states on /smoother/state')
    parser.add_argument('--storage', default='mcap', help='of a bag: mcap or sqlite3 (%(default)s)')
    return parser


def _smooth(given):
    """Yield lines of text about the progress."""
    if given.save is not None and not Path(given.save).absolute().parent.is_dir():
        raise FileNotFoundError(f'--save {given.save}: no such folder')
    mechanism, sensors = model_and_sensors(given)
    recording = read_recording(given.bag, sensors, given.truth,
                               commanded_valves(given, mechanism))
    filter_ = make_filter(given.estimator, mechanism, sensors, given.dt, **filter_settings(given))
    count = np.count_nonzero(np.isfinite(recording.readings))
    yield f'{count} readings at {len(recording.stamps)} instants, {recording.t[-1]:g} s'
    smoothed = smooth(filter_, recording, given.dt, progress=True)
    Console().print(_table(smoothed, mechanism, recording.truth is not None))
    if given.save is not None:
        save(smoothed, mechanism, given.save, given.storage)
        yield f'saved {given.save}'


def _table(smoothed, mechanism, truth_known):
    """Return errors against the truth, or else the deviations that the smoother claims."""
    table = Table(title='RMSE against the truth' if truth_known else 'standard deviation, mean')
    for name in ('', 'filter', 'smoother') if truth_known else ('', 'smoother'):
        table.add_column(name, justify='right' if name else 'left')
    for i, coordinate in enumerate(mechanism.independent):
        unit = mechanism.unit(coordinate)
        if truth_known:
            for name, per in _ERRORS.items():
                values = [getattr(t, name)[i] for t in (smoothed.filtered, smoothed.motion)]
                table.add_row(f'{coordinate} {name.replace("_rmse", "").replace("_", " ")}, '
                              f'{unit}{per}', *(f'{value:.4g}' for value in values))
        else:
            for j, per in ((i, ''), (mechanism.g + i, '/s')):
                deviation = np.sqrt(smoothed.covariance[:, j, j]).mean()
                table.add_row(f'{coordinate}, {unit}{per}', f'{deviation:.4g}')
    return table


if __name__ == '__main__':
    sys.exit(main())
