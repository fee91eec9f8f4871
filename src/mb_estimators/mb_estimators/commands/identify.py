"""Identify parameters of a mechanism from the readings in a bag, by a factor graph."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from mb_estimators.commands.options import (
    readings_text,
    recorded_run,
    recording_parser,
    run_command,
)
from mb_estimators.identification import identify
from mb_model.command_api import assigned, laid_out, table

_EXAMPLE = """
example:
  ros2 run mb_estimators identify results/latest/bag --parameters gravity.y bodies.coupler.mass
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    parser = recording_parser(
        'identify', __doc__, _EXAMPLE, 'of the identification: parameter_deviations, '
        'initial_variance, acceleration_psd, loss, loss_scale, iterations')
    parser.add_argument('--parameters', nargs='+', required=True, metavar='NAME',
                        help='paths of numbers in the mechanism file, such as bodies.crank.mass, '
                        'or names of its parameters')
    return parser


def _identify(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    mechanism, sensors, recording = recorded_run(given)
    yield readings_text(recording)
    identified = identify(mechanism, sensors, recording, given.dt, progress=True,
                          parameters=tuple(given.parameters), **assigned(given.settings, '--set'))
    yield laid_out(table(
        ('parameter', 'value [SI]', '1 sigma [SI]', '95 % interval [SI]'), [[
            (name, f'{value:.6g}', f'{identified.deviations[name]:.2g}',
             '{:.6g} to {:.6g}'.format(*identified.intervals[name]))
            for name, value in identified.values.items()]]))
