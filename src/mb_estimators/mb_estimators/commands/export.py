"""Write a filter on a mechanism as a C library, which needs neither Python nor ROS.

Its numbers are the filter's, to the last digit on this kind of processor.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
import sys

from mb_estimators.commands.c_library_options import add_library_arguments, new_library
from mb_estimators.commands.options import command_parser, run_command
from mb_estimators.native.folder import export
from mb_estimators.plugins import make_filter
from mb_model import load_mechanism
from mb_model.command_api import POSITIVE, assigned, changes_of, working
from mb_sensors import sensors_of

_EXAMPLE = """
example:
  ros2 run mb_estimators export four_bar --sensors crank_encoder --output my_estimator
  cmake -S my_estimator -B build && cmake --build build
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_export, _parser(), arguments)


def _parser() -> ArgumentParser:
    parser = command_parser('export', __doc__, _EXAMPLE)
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--sensors', required=True, nargs='+', metavar='NAME',
                        help='sensors or sensor groups of the mechanism that are read')
    parser.add_argument('--estimator', default='error_ekf_fe', metavar='NAME',
                        help='name of a filter (%(default)s)')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help='of the filter, such as acceleration_variance=1e-3; repeatable')
    parser.add_argument('--change', action='append', default=[], metavar='KEY=VALUE',
                        dest='changes', help='an entry of the mechanism file, such as '
                        'start.theta=pi/2; repeatable')
    parser.add_argument('--dt', type=POSITIVE, default=5e-3,
                        help='longest step of the model [s] (%(default)s)')
    add_library_arguments(parser)
    return parser


def _export(given: Namespace) -> Iterator[str]:
    """Yield lines of text about what is written."""
    folder, target = new_library(given)
    mechanism = load_mechanism(given.mechanism)
    if given.changes:
        mechanism = mechanism.replace(**changes_of(given.changes, '--change'))
    filter_ = make_filter(given.estimator, mechanism, sensors_of(mechanism, given.sensors),
                          given.dt, **assigned(given.settings, '--set'))
    with working('making machine code'):
        export(filter_, given.estimator, folder, target)
    yield f'{given.estimator} on {mechanism.name}: {folder}, see its README.md'


if __name__ == '__main__':
    sys.exit(main())
