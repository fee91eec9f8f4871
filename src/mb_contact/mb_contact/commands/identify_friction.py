"""Identify friction from bags: of cylinders with known loads, or on coordinates with drives."""

import argparse
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
import sys

from rich.table import Table

from mb_contact.friction.fit import FrictionFit, FrictionFitSettings
from mb_contact.friction.of_coordinates import CoordinateFitSettings, fit_coordinates
from mb_contact.friction.of_cylinders import identify_friction
from mb_contact.friction.outcome import deviation_text, draw_friction, friction_text
from mb_estimators import input_topic, read_recording, read_samples
from mb_estimators.command_api import (
    add_filter_arguments,
    add_torques_arguments,
    fill_in,
    filter_settings,
    model_and_sensors,
    run_command,
)
from mb_model import Mechanism
from mb_model.command_api import (
    add_fit_argument,
    add_force_argument,
    extended,
    fit_settings,
    laid_out,
    require_folder,
    require_owned,
    table,
    working,
)
from mb_model.file_api import write_whole
from mb_sensors import Sensor
from mb_sensors.command_api import mechanism_of

_EXAMPLE = """
examples, without a load, and with two bags of known loads, which determine more at pressures:
  ros2 run mb_contact identify_friction unloaded/bag \\
      --sensors cylinder_encoder pressure1 pressure2
  ros2 run mb_contact identify_friction unloaded/bag loaded/bag --loads 0 100 \\
      --sensors cylinder_encoder pressure1 pressure2 --output my_crane.yaml
and in the joints of a machine with measured torques:
  ros2 run mb_contact identify_friction my_bag --mechanism geared_double_pendulum \\
      --forces shoulder_friction elbow_friction --sensors shoulder_encoder elbow_encoder \\
      --torques known_forces
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_contact identify_friction', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bags', nargs='+', metavar='BAG',
                        help='folders of bags with readings, and commands of valves or forces of '
                        'drives')
    add_filter_arguments(parser, mechanism='crane', estimator='hydraulic_kinematic_ekf', dt=1e-3,
                         of_run='')
    parser.add_argument('--mass', default='load', metavar='NAME',
                        help='parameter of the mechanism file that is the mass of the load '
                        '(%(default)s)')
    parser.add_argument('--loads', nargs='+', type=float, default=[0.0], metavar='KG',
                        help='its value in all bags, or one for each (0)')
    parser.add_argument('--forces', nargs='+', metavar='NAME',
                        help='friction on coordinates, by its name in the mechanism file, in place '
                        'of cylinders; --sensors are encoders then')
    parser.add_argument('--drives', nargs='+', metavar='NAME',
                        help='coordinates that drives act on (default: drives in the mechanism)')
    add_torques_arguments(parser)
    add_fit_argument(parser, CoordinateFitSettings)
    parser.add_argument('--output', default='friction.yaml', metavar='FILE',
                        help='of a mechanism that extends this one (%(default)s)')
    add_force_argument(parser)
    parser.add_argument('--figure', metavar='FILE',
                        help='picture of the fit, .png, .pdf or .svg (default: beside the output)')
    return parser


def _identify(given: argparse.Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    loads = given.loads * len(given.bags) if len(given.loads) == 1 else given.loads
    if len(loads) != len(given.bags):
        raise ValueError(f'--loads: {len(loads)} values for {len(given.bags)} bags')
    figure = given.figure or str(Path(given.output).with_suffix('.png'))
    require_folder('--output', given.output)
    require_folder('--figure', figure)
    given.mechanism = mechanism_of(given.mechanism, given.bags[0], given.fallback['mechanism'])
    fill_in(given, {})      # all else is not of runs
    mechanism, sensors = model_and_sensors(given)
    if given.forces:
        yield from _written(given, figure, (yield from _on_coordinates(given, mechanism, sensors)))
        return
    settings = fit_settings(given.fit, FrictionFitSettings)
    if mechanism.circuit is None:
        raise ValueError(f'{mechanism.file}: hydraulics: missing; there is no cylinder in it')
    if given.mass not in mechanism.parameters:
        raise ValueError(f'--mass {given.mass}: unknown parameter of {mechanism.file}, expected '
                         f'one of {", ".join(mechanism.parameters) or "none"}')
    cases = []
    for bag, load in zip(given.bags, loads, strict=True):
        recording = read_recording(bag, sensors, inputs=input_topic(mechanism, takes_commands=True))
        cases.append((mechanism.replace(parameters={given.mass: load}), recording))
        yield f'{bag}: {recording.t[-1]:g} s, {given.mass} = {load:g}'
    with working('observing and fitting'):
        fits = identify_friction(cases, sensors, given.estimator, given.dt, settings,
                                 keep=not given.force, **filter_settings(given))
    yield from _written(given, figure, fits)


def _on_coordinates(given: argparse.Namespace, mechanism: Mechanism, sensors: Sequence[Sensor],
                    ) -> Generator[str, None, dict[str, FrictionFit]]:
    """Yield lines about the progress; return {force: FrictionFit}."""
    settings, recordings = fit_settings(given.fit, CoordinateFitSettings), []
    drives = given.drives or mechanism.drives
    if not drives:
        raise ValueError(f'{mechanism.file}: drives: missing; friction follows from their forces')
    for bag in given.bags:
        recordings.append(read_samples(bag, mechanism, drives, sensors, torques=given.torques,
                                       knot_spacing=settings.knot_spacing,
                                       torques_are=given.torques_are))
        yield f'{bag}: {recordings[-1].t[-1]:g} s'
    with working('fitting'):
        return fit_coordinates(mechanism, given.forces, recordings, drives, settings,
                               keep=not given.force)


def _written(given: argparse.Namespace, figure: str,
             fits: Mapping[str, FrictionFit]) -> Iterator[str]:
    """Write picture and mechanism of FrictionFits by name; yield lines about them."""
    for name, fit in fits.items():
        yield laid_out(_table(name, fit))
        yield from (f'{name}: {doubt.text}' for doubt in fit.doubts)
        yield from (f'{name}: WARNING: {note}' for note in fit.notes)
    draw_friction(fits, figure)
    yield f'picture        {figure}'
    disowned = require_owned(_objections(fits, given.force), given.force)
    comments = [f'Friction identified from {", ".join(given.bags)}.', *disowned]
    write_whole(given.output, friction_text(
        fits, extended(given.mechanism), comments))
    yield f'mechanism      {given.output}'


def _objections(fits: Mapping[str, FrictionFit], force: bool) -> list[str]:
    """Return why FrictionFits by name should not be used, in words.

    Parameters that are hardly determined keep the values of the mechanism, unless by force.
    """
    reasons = [f'{name}: {reason}' for name, fit in fits.items() for reason in fit.disowned]
    if force:
        reasons += [f'{name}: {doubt.text}' for name, fit in fits.items()
                    for doubt in fit.doubts if doubt.parameter]
    return reasons


def _table(name: str, fit: FrictionFit) -> Table:
    """Return parameters with their deviations."""
    rows = [(f'{key} [{fit.law.units[key]}]', f'{fit.parameters[key]:.4g}',
             deviation_text(fit, key)) for key in fit.law.parameters]
    return table(('parameter', 'value', '1 sigma'), [rows],
                 f'friction of {name}, {len(fit.samples)} samples')


if __name__ == '__main__':
    sys.exit(main())
