"""A recording of a real machine, played to its drivers' topics and estimated live.

    ros2 launch mb_bringup recorded.launch.py recording:=double_pendulum

The recording that is shipped becomes a bag with readings, measured torques and the truth.  The
estimator gets readings and torques, the recorded monitor ends the run with a report.
"""

from pathlib import Path
from typing import NamedTuple

from ament_index_python.packages import get_package_share_directory

from mb_bringup.arguments import EVERY_RUN, Argument, given_values, number
from mb_bringup.described import described
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.replayed_bag import Replayed, player
from mb_evaluation.results import new_folder
from mb_sensors.command_api import import_log


class Recording(NamedTuple):
    """A recording that is shipped, and the estimator's parameters for it."""

    log: str
    columns: str
    config: str
    withheld: tuple[str, ...]       # sensors that the estimator is not given
    given: str                      # what it is given, in words
    input_rate: float               # [Hz] of measured forces, 0 for none


RECORDINGS = {
    'double_pendulum': Recording(
        'double_pendulum/acrobot/experiment05.csv', 'double_pendulum/columns.yaml',
        'geared_double_pendulum.yaml', (),
        'The estimator is given both encoders and, as known torque, what the motors report less '
        'the pulses that they inject: the pulses stand for a force from outside, which a motor '
        'would not report.  The numbers of the machine were identified from recordings, also from '
        'this one.',
        500.0),         # instants wait for measured torques, so that runs are repeated
    'racing_car': Recording(
        'vehicle/run_part1.csv', 'vehicle/columns.yaml', 'racing_car.yaml', ('sideslip',),
        'The estimator is given the yaw rate, accelerations, the speed and the steering angle; the '
        'sideslip angle, by satellites and inertial sensors, only judges it.  The numbers of the '
        'tyres were identified from the recording that this one is a part of.', 0.0)}
ARGUMENTS = {
    'recording': Argument('double_pendulum', 'Recording of a real machine', tuple(RECORDINGS)),
    'rate': Argument('1.0', 'How fast it is played, beside how fast it was recorded', kind=float,
                     at_least=0.001, at_most=1000.0),
    **{name: EVERY_RUN[name] for name in (
        'realtime', 'results', 'record', 'strict', 'view', 'view_address')},
}


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    one = RECORDINGS[given['recording']]
    share = Path(get_package_share_directory('mb_bringup'))
    folder = new_folder(given['results'])
    bag = folder / 'recording' / 'bag'
    import_log(share / 'recordings' / one.log, share / 'recordings' / one.columns, bag,
               [share / 'config' / one.config])
    replayed = Replayed({'bag': str(bag), 'config': '', 'mechanism': '', 'estimator': '',
                         'sensors': ''}, one.withheld)
    parameters = {**replayed.parameters, 'input_rate': one.input_rate}
    run = LaunchedRun({**given, 'composed': 'false', 'priority': '0', 'respawn': 'false',
                       'disturbed': '0'}, parameters['mechanism'], [])
    run.follow('mb_estimators', 'estimator', parameters)
    run.show('replay')
    run.record(folder)
    return run.around(('recorded_monitor', {
        'estimator': parameters['estimator'], 'sensors': parameters['sensors'], 'bag': str(bag),
        'recording': given['recording'], 'known': one.given, 'reference': replayed.reference,
        'has_truth': False, 'wait_for_nodes': run.awaited, 'folder': str(folder),
        **({'withheld': list(one.withheld)} if one.withheld else {})}),
        player(replayed, number(given, 'rate'), folder), judged=folder)
