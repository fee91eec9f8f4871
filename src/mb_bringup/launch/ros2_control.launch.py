"""A machine on ros2_control: what its broadcasters and controllers send feeds the estimator.

    ros2 launch mb_bringup ros2_control.launch.py mechanism:=quadruped_leg

With ros2_control installed, hardware:=mock starts controller_manager with mock hardware that stands
at the machine's start, its broadcasters and the estimator, until Ctrl-C.  hardware:=stand_in, on
any machine: a simulated prototype moves under a controller, a stand-in publishes what the
broadcasters would, and the accuracy monitor ends the run with a report.
"""

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import LogInfo

from mb_bringup.arguments import (
    EVERY_RUN,
    SHARE,
    Argument,
    argument_like,
    config_files,
    given_values,
    number,
    pace_of,
)
from mb_bringup.chosen_filter import check_launched
from mb_bringup.described import described
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.mock_hardware import mock_nodes
from mb_bringup.observed_run import observed
from mb_bringup.sensor_nodes import SensorNode
from mb_estimators import available_filters
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_model import ModelErrors, load_mechanism
from mb_model.file_api import read_parameters
from mb_sensors import sensors_of

STAND_IN, MOCK = 'stand_in', 'mock'
MACHINES = SHARE / 'ros2_control'       # mechanisms whose sensors are what is broadcast
MANAGER = 'controller_manager'
CLOCK_RATE = 1000.0                     # commands count by the time at which they come [Hz]
START_ERRORS = {2: 0.1, 3: 0.02}        # by dimension [rad]
ARGUMENTS = {
    'mechanism': Argument('four_bar', 'Machine: four_bar, quadruped_leg, or the path of a '
                          'mechanism file whose sensors have the topics of broadcasters'),
    'hardware': Argument('', 'mock: ros2_control with mock hardware; stand_in: a simulated '
                         'machine, and a node that publishes what the broadcasters would; empty: '
                         'mock if controller_manager is installed, else stand_in',
                         ('', MOCK, STAND_IN)),
    'estimator': Argument('error_ekf', 'Filter that corrects the model', available_filters()),
    'trajectory': Argument('random', 'What the simulated machine follows; none: it falls',
                           ('random', 'hold', 'none')),
    'duration': argument_like('10.0', 'Simulated time [s]', MonitorSettings, 'duration'),
    'start_error': argument_like('', 'What is added to each degree of freedom of the model at the '
                                 'start [rad]; empty: 0.1, in space 0.02', ModelErrors, 'z0'),
    **{name: one for name, one in EVERY_RUN.items() if name not in ('sources', 'publish_rate')},
}


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    file = MACHINES / f'{given["mechanism"]}.yaml'
    given['mechanism'] = str(file) if file.is_file() else given['mechanism']
    mechanism = load_mechanism(given['mechanism'])
    config = config_files(mechanism, given['config'] or f'ros2_control_{mechanism.name}')
    names = read_parameters(config, 'estimator').get('sensors', ())
    if not names:
        raise ValueError(f'config: {", ".join(config)}: estimator: sensors: missing, expected some '
                         f'of {", ".join([*mechanism.sensors, *mechanism.sensor_groups])}')
    sensors = sensors_of(mechanism, names)
    check_launched(given['estimator'], mechanism, sensors, config)
    run = LaunchedRun(given, given['mechanism'], config)
    hardware, why = chosen_hardware(given['hardware'])
    if hardware == MOCK:
        return [LogInfo(msg=why), *mock_nodes(mechanism, config), run.estimator(
            {'estimator': given['estimator']})]
    return [LogInfo(msg=why), *stand_in(given, run, mechanism, sensors, config)]


def chosen_hardware(asked):
    """Return the hardware, and which it is in words.  Raises ValueError for what is not there."""
    try:
        there = get_package_prefix(MANAGER)
    except PackageNotFoundError:
        there = ''
    if asked == MOCK and not there:
        raise ValueError(f'hardware: {MOCK}: the package {MANAGER} is not installed, expected '
                         f'ros2_control, or hardware:={STAND_IN}')
    if there and asked != STAND_IN:
        return MOCK, f'hardware: {MOCK}: {MANAGER} of {there} with mock hardware'
    reason = 'as asked for' if asked else f'since the package {MANAGER} is not installed'
    return STAND_IN, f'hardware: {STAND_IN}: a simulated machine in place of ros2_control, {reason}'


def stand_in(given, run, mechanism, sensors, config):
    """Return the processes of a run on a simulated machine."""
    rate = float(read_parameters(config, MANAGER).get('update_rate', 100.0))
    pace = pace_of({**given, 'publish_rate': str(rate)}, number(given, 'duration'))
    errors = {'model_errors.z0': number(given, 'start_error') if given['start_error'] else
              START_ERRORS[mechanism.dimension]}
    run.follow('mb_model', 'model_simulation', {**errors, 'publish_rate': rate})
    run.read(sensors_of(mechanism, list(mechanism.sensors)), SensorNode(
        'broadcasters', 'broadcasters', {'seed': number(given, 'seed', int)}))
    return run.actions(
        observed(run, given, sensors, errors, pace),
        {**pace, 'trajectory.kind': given['trajectory'], 'control.rate': rate},
        {'clock_rate': CLOCK_RATE})
