"""Identify parameters of a mechanism from the readings in a bag, by a factor graph."""

import argparse
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from mb_estimators.commands.exits import told
from mb_estimators.commands.options import add_model_arguments, model_and_sensors
from mb_estimators.identification import identify
from mb_estimators.recording.bag import read_recording
from mb_model.commands.assignments import assigned

_EXAMPLE = """
example:
  ros2 run mb_estimators identify results/latest/bag --sensors crank_encoder \\
      --parameters gravity.y bodies.coupler.mass --model-error gravity=-1 --model-error z0=pi/16
"""


def main(arguments=None):
    """Run the command; return the exit code."""
    return told(_identify, _parser(), arguments, 'no solution')


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_estimators identify', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_model_arguments(parser)
    parser.add_argument('--parameters', nargs='+', required=True, metavar='NAME',
                        help='paths of numbers in the mechanism file, such as bodies.crank.mass, '
                        'or names of its parameters')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help='of the identification: parameter_deviations, initial_variance, '
                        'acceleration_psd, loss, loss_scale, iterations; repeatable')
    return parser


def _identify(given):
    """Yield lines of text about the progress."""
    mechanism, sensors = model_and_sensors(given)
    recording = read_recording(given.bag, sensors)
    count = np.count_nonzero(np.isfinite(recording.readings))
    yield f'{count} readings at {len(recording.stamps)} instants, {recording.t[-1]:g} s'
    found = identify(mechanism, sensors, recording, given.dt, progress=True,
                     parameters=tuple(given.parameters), **assigned(given.settings, '--set'))
    table = Table()
    for name in ('parameter', 'value', 'standard deviation', '95 % interval'):
        table.add_column(name, justify='left' if name == 'parameter' else 'right')
    for name, value in found.values.items():
        low, high = found.intervals[name]
        table.add_row(name, f'{value:.6g}', f'{found.deviations[name]:.2g}',
                      f'{low:.6g} to {high:.6g}')
    Console().print(table)


if __name__ == '__main__':
    sys.exit(main())
