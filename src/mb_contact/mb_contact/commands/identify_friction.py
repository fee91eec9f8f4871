"""Identify the friction of hydraulic cylinders from bags of a machine with known loads."""

import argparse
from pathlib import Path
import sys

from rich.console import Console

from mb_contact.friction.figure import draw_friction
from mb_contact.friction.fit_settings import FrictionFitSettings
from mb_contact.friction.identify import identify_friction
from mb_contact.friction.law import PARAMETERS, UNITS
from mb_contact.friction.overrides_file import deviation_text, friction_text
from mb_estimators import read_recording
from mb_estimators.command_api import (
    add_filter_arguments,
    fill_in,
    filter_settings,
    model_and_sensors,
    run_command,
)
from mb_model.command_api import (
    add_fit_argument,
    add_force_argument,
    extended,
    fit_settings,
    laid_out,
    require_folder,
    require_owned,
    table,
)
from mb_model.file_api import write_whole

_EXAMPLE = """
examples, without a load, and with two bags of known loads, which determine more at pressures:
  ros2 run mb_contact identify_friction unloaded/bag \\
      --sensors cylinder_encoder pressure1 pressure2
  ros2 run mb_contact identify_friction unloaded/bag loaded/bag --loads 0 100 \\
      --sensors cylinder_encoder pressure1 pressure2 --output my_crane.yaml
"""


def main(arguments=None):
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_contact identify_friction', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bags', nargs='+', metavar='BAG',
                        help='folders of bags with readings and valve commands')
    add_filter_arguments(parser, mechanism='crane', estimator='hydraulic_kinematic_ekf', dt=1e-3,
                         of_run='')
    parser.add_argument('--mass', default='load', metavar='NAME',
                        help='parameter of the mechanism file that is the mass of the load '
                        '(%(default)s)')
    parser.add_argument('--loads', nargs='+', type=float, default=[0.0], metavar='KG',
                        help='its value in all bags, or one for each (0)')
    add_fit_argument(parser, FrictionFitSettings)
    parser.add_argument('--output', default='friction.yaml', metavar='FILE',
                        help='of a mechanism that extends this one (%(default)s)')
    add_force_argument(parser)
    parser.add_argument('--figure', metavar='FILE',
                        help='picture of the fit, .png, .pdf or .svg (default: beside the output)')
    return parser


def _identify(given):
    """Yield lines of text about the progress."""
    loads = given.loads * len(given.bags) if len(given.loads) == 1 else given.loads
    if len(loads) != len(given.bags):
        raise ValueError(f'--loads: {len(loads)} values for {len(given.bags)} bags')
    figure = given.figure or str(Path(given.output).with_suffix('.png'))
    require_folder('--output', given.output)
    require_folder('--figure', figure)
    settings = fit_settings(given.fit, FrictionFitSettings)
    fill_in(given, {})      # not of runs: the result extends a mechanism that stays
    mechanism, sensors = model_and_sensors(given)
    if mechanism.circuit is None:
        raise ValueError(f'{mechanism.file}: hydraulics: missing; there is no cylinder in it')
    if given.mass not in mechanism.parameters:
        raise ValueError(f'--mass {given.mass}: unknown parameter of {mechanism.file}, expected '
                         f'one of {", ".join(mechanism.parameters) or "none"}')
    cases = []
    for bag, load in zip(given.bags, loads, strict=True):
        recording = read_recording(bag, sensors, valves=mechanism.circuit.valves)
        cases.append((mechanism.replace(parameters={given.mass: load}), recording))
        yield f'{bag}: {recording.t[-1]:g} s, {given.mass} = {load:g}'
    with Console(stderr=True).status('observing and fitting'):
        fits = identify_friction(cases, sensors, given.estimator, given.dt, settings,
                                 keep=not given.force, **filter_settings(given))
    for name, fit in fits.items():
        yield laid_out(_table(name, fit))
        yield from (f'{name}: {doubt.text}' for doubt in fit.doubts)
    draw_friction(fits, figure)
    yield f'picture        {figure}'
    disowned = require_owned(_objections(fits, given.force), given.force)
    comments = [f'Friction identified from {", ".join(given.bags)}.', *disowned]
    write_whole(given.output, friction_text(
        fits, extended(given.mechanism), comments))
    yield f'mechanism      {given.output}'


def _objections(fits, force):
    """Return why {cylinder: FrictionFit} should not be used, in words.

    Parameters that are hardly determined keep the values of the mechanism, unless by force.
    """
    found = [f'{name}: {reason}' for name, fit in fits.items() for reason in fit.disowned]
    if force:
        found += [f'{name}: {doubt.text}' for name, fit in fits.items()
                  for doubt in fit.doubts if doubt.parameter]
    return found


def _table(name, fit):
    """Return parameters with their deviations."""
    rows = [(f'{key} [{UNITS[key]}]', f'{fit.parameters[key]:.4g}', deviation_text(fit, key))
            for key in PARAMETERS]
    return table(('parameter', 'value', '1 sigma'), [rows],
                 f'friction of {name}, {len(fit.samples)} samples')


if __name__ == '__main__':
    sys.exit(main())
