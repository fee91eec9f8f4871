"""Estimate the motion in a bag by all of its readings: a filter forward, a smoother back."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mb_estimators.commands.node_parameters import add_file_arguments
from mb_estimators.commands.options import (
    add_filter_arguments,
    add_truth_argument,
    as_read,
    command_parser,
    filter_settings,
    readings_text,
    recorded_run,
    run_command,
)
from mb_estimators.plugins import make_filter
from mb_estimators.smoothing import Smoothed, smooth
from mb_model import Mechanism
from mb_model.command_api import laid_out, require_states, table
from mb_model.file_api import STATE_TYPE, new_bag, state_message, whole_file

TOPIC = '/smoother/state'
_MOTION, _DEPENDENT = ('z', 'zd', 'zdd'), ('q', 'qd', 'qdd')


def save(smoothed: Smoothed, mechanism: Mechanism, path: str | Path, storage: str = 'mcap') -> None:
    """Save a Smoothed motion: path ends in .npz, or is the folder of a new bag.

    The bag holds a MechanismState with its covariance at every stamp, on /smoother/state.
    Raises OSError, ValueError.
    """
    if Path(path).suffix == '.npz':
        _save_arrays(smoothed, mechanism, path)
    else:
        _save_bag(smoothed, mechanism, path, storage)


def _save_arrays(smoothed: Smoothed, mechanism: Mechanism, path: str | Path) -> None:
    """Write stamps [ns], z ... qdd, covariance, names; forces and biases where there are any."""
    arrays = {'stamps': smoothed.stamps, 'covariance': smoothed.covariance,
              'independent': mechanism.independent, 'coordinates': mechanism.coordinates}
    arrays |= {name: getattr(smoothed.motion, name) for name in _MOTION}
    arrays |= {name: getattr(smoothed, name) for name in _DEPENDENT}
    if smoothed.forces is not None:
        arrays['forces'] = smoothed.forces
    with whole_file(path) as part:
        np.savez(part, **arrays, **{
            f'bias.{name}': bias for name, bias in smoothed.biases.items()})


def _save_bag(smoothed: Smoothed, mechanism: Mechanism, folder: str | Path, storage: str) -> None:
    """Write a new bag."""
    with new_bag(folder, storage) as bag:
        bag.add_topic(TOPIC, STATE_TYPE)
        for k, stamp in enumerate(smoothed.stamps.tolist()):
            arrays = {name: getattr(smoothed.motion, name)[k] for name in _MOTION}
            arrays |= {name: getattr(smoothed, name)[k] for name in _DEPENDENT}
            if smoothed.forces is not None:
                arrays['generalized_force'] = smoothed.forces[k]
            bag.write(TOPIC, stamp, state_message(
                bag.types, mechanism, stamp, covariance=smoothed.covariance[k].ravel(), **arrays))


_EXAMPLE = """
examples, with the parameters of the recorded run, and without a run:
  ros2 run mb_estimators smooth results/latest/bag --save smoothed.npz
  ros2 run mb_estimators smooth my_bag --mechanism my.yaml --estimator error_ekf_fe \\
      --sensors my_encoder
"""
_ERRORS = (('position_rmse', 'position', ''), ('position_rmse_after_2s', 'position after 2 s', ''),
           ('velocity_rmse', 'velocity', '/s'), ('acceleration_rmse', 'acceleration', '/s²'))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_smooth, _parser(), arguments)


def _parser() -> ArgumentParser:
    parser = command_parser('smooth', __doc__, _EXAMPLE)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_filter_arguments(parser)
    add_file_arguments(parser)
    add_truth_argument(parser)
    parser.add_argument('--save', metavar='PATH', help='FILE.npz, or the folder of a new bag with '
                        'states on /smoother/state')
    parser.add_argument('--storage', default='mcap', help='of a bag: mcap or sqlite3 (%(default)s)')
    return parser


def _smooth(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    if given.save is not None:
        require_states(given.save)
    mechanism, sensors, recording = recorded_run(given)
    filter_ = make_filter(given.estimator, mechanism, sensors, given.dt, **filter_settings(given))
    yield readings_text(recording)
    smoothed = smooth(filter_, as_read(given, recording), given.dt, progress=True)
    yield laid_out(_table(smoothed, mechanism, recording.truth is not None))
    if given.save is not None:
        save(smoothed, mechanism, given.save, given.storage)
        yield f'saved {given.save}'


def _table(smoothed, mechanism, truth_known):
    """Return errors against the truth, or else the deviations that the smoother claims."""
    groups = []
    for i, coordinate in enumerate(mechanism.independent):
        unit = mechanism.unit(coordinate)
        if truth_known:
            motions = smoothed.filtered, smoothed.motion
            groups.append([(f'{coordinate} {what} [{unit}{per}]',
                            *(f'{getattr(one, name)[i]:.4g}' for one in motions))
                           for name, what, per in _ERRORS])
        else:
            states = (i, 'position', ''), (mechanism.g + i, 'velocity', '/s')
            groups.append([(f'{coordinate} {what} [{unit}{per}]',
                            f'{np.sqrt(smoothed.covariance[:, j, j]).mean():.4g}')
                           for j, what, per in states])
    return table(('', 'filter', 'smoother') if truth_known else ('', 'smoother'), groups,
                 'RMSE against the truth' if truth_known else 'standard deviation, mean')
