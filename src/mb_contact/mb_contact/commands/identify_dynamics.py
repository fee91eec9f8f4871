"""Identify masses, inertias, friction of a machine from bags without contacts, by its drives."""

import argparse
from collections.abc import Iterator, Sequence
import sys

from rich.table import Table

from mb_contact.dynamics.fit import (
    DynamicsFit,
    dynamics_overrides,
    dynamics_text,
    fit_dynamics,
)
from mb_contact.dynamics.recorded import add_torques_arguments, read_samples
from mb_contact.dynamics.samples import DynamicsFitSettings
from mb_model import load_mechanism
from mb_model.command_api import (
    add_fit_argument,
    add_force_argument,
    extended,
    fit_settings,
    laid_out,
    require_folder,
    require_owned,
    run_command,
    table,
    working,
)
from mb_model.file_api import write_whole
from mb_sensors import sensors_of
from mb_sensors.command_api import add_mechanism_argument, add_motion_arguments, mechanism_of

_EXAMPLE = """
examples, from the readings of encoders, and from estimated states:
  ros2 run mb_contact identify_dynamics results/latest/bag --sensors drive_encoders \\
      --parameters inner_mass outer_mass platform_mass platform_inertia drive_coulomb drive_viscous
  ros2 run mb_contact identify_dynamics results/latest/bag --states estimator/state \\
      --parameters platform_mass platform_inertia --output my_robot.yaml
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_contact identify_dynamics', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bags', nargs='+', metavar='BAG',
                        help='folders of bags with a motion and forces of drives')
    add_mechanism_argument(parser)
    parser.add_argument('--parameters', nargs='+', required=True, metavar='NAME',
                        help='paths of numbers in the mechanism file, such as '
                        'bodies.platform.mass, or names of its parameters')
    add_motion_arguments(parser)
    parser.add_argument('--drives', nargs='+', metavar='NAME',
                        help='coordinates that drives act on (default: drives in the mechanism)')
    add_torques_arguments(parser)
    add_fit_argument(parser, DynamicsFitSettings)
    parser.add_argument('--output', default='dynamics.yaml', metavar='FILE',
                        help='of a mechanism that extends this one (%(default)s)')
    add_force_argument(parser)
    return parser


def _identify(given: argparse.Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    require_folder('--output', given.output)
    settings = fit_settings(given.fit, DynamicsFitSettings)
    given.mechanism = mechanism_of(given.mechanism, given.bags[0])
    mechanism = load_mechanism(given.mechanism)
    drives = given.drives or mechanism.drives
    encoders = sensors_of(mechanism, given.sensors or ())
    recordings = []
    for bag in given.bags:
        recordings.append(read_samples(bag, mechanism, drives, encoders, given.states,
                                       given.torques, settings.knot_spacing,
                                       given.torques_are))
        yield f'{bag}: {recordings[-1].t[-1]:g} s'
    with working('fitting'):
        fit = fit_dynamics(mechanism, given.parameters, recordings, drives, settings,
                           keep=not given.force)
    yield laid_out(_table(fit))
    yield from fit.doubts
    disowned = require_owned(fit.disowned, given.force)
    mechanism.replace(**dynamics_overrides(fit, mechanism))      # raises where it cannot be
    comments = [f'Dynamics identified from {", ".join(given.bags)}.', *disowned]
    write_whole(given.output, dynamics_text(fit, mechanism, extended(given.mechanism), comments))
    yield f'mechanism      {given.output}'


def _table(fit: DynamicsFit) -> Table:
    """Return the fitted sums of parameters, with their deviations."""
    rows = [(base.text, f'{base.value(fit.parameters):.5g}', f'{fit.deviations[base.name]:.2g}')
            for base in fit.base]
    return table(('parameter', 'value [SI]', '1 sigma [SI]'), [rows],
                 f'dynamics, {len(fit.residual)} samples')


if __name__ == '__main__':
    sys.exit(main())
