"""Find where an IMU sits on its body, and how it is turned, from a bag of a motion."""

import argparse
from collections.abc import Sequence
import sys

import numpy as np

from mb_model import Mechanism, load_mechanism
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
from mb_model.file_api import ExpressionError, evaluate_expression, write_whole
from mb_sensors.bag import open_bag
from mb_sensors.commands.motion_options import (
    add_mechanism_argument,
    add_motion_arguments,
    mechanism_of,
)
from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.fit import MountingFit, MountingFitSettings, fit_mounting
from mb_sensors.imu_mounting.outcome import draw_mounting, mounting_text
from mb_sensors.recorded_motion import motion_of_encoders, read_motion
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

_EXAMPLE = """
examples, from the readings of encoders, and from estimated states:
  ros2 run mb_sensors calibrate_imu results/latest/bag --imu imu --sensors drive_encoders
  ros2 run mb_sensors calibrate_imu results/latest/bag --imu imu --states smoother/state \\
      --output my_robot.yaml
"""


def main(arguments=None):
    """Run the command; return the exit code."""
    return run_command(_calibrate, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_sensors calibrate_imu', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings of the IMU')
    add_mechanism_argument(parser)
    parser.add_argument('--imu', nargs='+', required=True, metavar='NAME',
                        help='an accelerometer, and gyroscopes of its body: sensors or sensor '
                        'groups')
    add_motion_arguments(parser)
    parser.add_argument('--known', choices=('at',), help='at: the position of the accelerometer '
                        'is as in the mechanism, only its direction is fitted')
    add_fit_argument(parser, MountingFitSettings)
    parser.add_argument('--output', default='imu.yaml', metavar='FILE',
                        help='of a mechanism that extends this one (%(default)s)')
    parser.add_argument('--plot', metavar='FILE', help='draw what the IMU read, beside what is '
                        'expected before and after: .png, .pdf or .svg')
    add_force_argument(parser)
    return parser


def _calibrate(given: argparse.Namespace):
    """Yield lines of text about the progress."""
    require_folder('--output', given.output)
    if given.plot:
        require_folder('--plot', given.plot)
    settings = fit_settings(given.fit, MountingFitSettings)
    given.mechanism = mechanism_of(given.mechanism, given.bag)
    mechanism = load_mechanism(given.mechanism)
    imu = sensors_of(mechanism, given.imu)
    offset = _known_offset(mechanism, imu) if given.known else None
    encoders = sensors_of(mechanism, given.sensors or ())
    with open_bag(given.bag) as bag, working('fitting'):
        stamps, readings = bag.readings(imu)
        motion = (read_motion(bag, mechanism, given.states) if given.states else
                  motion_of_encoders(mechanism, encoders, *bag.readings(encoders),
                                     settings.knot_spacing))
        fit = fit_mounting(BodyMotion(mechanism, imu[0].body, motion), imu, stamps, readings,
                           settings, offset)
    yield laid_out(_table(fit, imu))
    disowned = require_owned(fit.doubts, given.force)
    yield from disowned
    names = ', '.join(sensor.name for sensor in imu)
    comments = [f'Mounting of {names} calibrated from {given.bag}.', *disowned]
    write_whole(given.output, mounting_text(fit, imu, extended(given.mechanism), comments))
    yield f'mechanism      {given.output}'
    if given.plot:
        draw_mounting(given.plot, mechanism, imu, motion, stamps, readings, fit)
        yield f'picture        {given.plot}'


def _known_offset(mechanism: Mechanism, imu: Sequence[Sensor]):
    """Return the offset of the accelerometer in the mechanism [m]; raises ValueError."""
    name = next((sensor.name for sensor in imu if sensor.kind == 'accelerometer'), imu[0].name)
    at = mechanism.sensors[name].get('at')
    try:
        return np.array([evaluate_expression(str(one), mechanism.parameters) for one in (
            at if isinstance(at, list | tuple) else [at])])
    except ExpressionError:
        raise ValueError(f'--known at: {mechanism.file}: sensors.{name}.at: {at} must be numbers '
                         'in the frame of the body') from None


def _table(fit: MountingFit, imu: Sequence[Sensor]):
    """Return the fitted values, with their deviations."""
    units = {channel: sensor.unit for sensor in imu for channel in sensor.channels}
    deviations = np.sqrt(np.diagonal(fit.covariance))
    turns = np.atleast_1d(fit.orientation)
    names = [f'at {axis} [m]' for axis in 'xyz'[:len(fit.offset)]] + (
        ['orientation [rad]'] if len(turns) == 1 else ['roll [rad]', 'pitch [rad]', 'yaw [rad]'])
    rows = [(name, f'{value:.5g}', f'{deviation:.2g}') for name, value, deviation in zip(
        names, [*fit.offset, *turns], deviations, strict=True)]
    rows.append(('delay [s]', f'{fit.delay:.4g}', f'{fit.delay_deviation:.2g}'))
    rows += [(f'bias of {name} [{units[name]}]', f'{bias:.4g}',
              f'{fit.bias_deviations[name]:.2g}') for name, bias in fit.biases.items()]
    rows.append(('scale of the accelerometer [-]', f'{fit.scale:.4g}', ''))
    return table(('', 'value', '1 sigma'), [rows], 'mounting of the IMU')


if __name__ == '__main__':
    sys.exit(main())
