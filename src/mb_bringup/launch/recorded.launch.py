"""A recording of a real machine, played to its drivers' topics and estimated live.

    ros2 launch mb_bringup recorded.launch.py recording:=double_pendulum

The recording that is shipped becomes a bag with readings, measured torques and the truth.  The
estimator gets readings and torques, the recorded monitor ends the run with a report.
"""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory

from mb_bringup.arguments import EVERY_RUN, Argument, given_values, number
from mb_bringup.described import described
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.replayed_bag import Replayed, player
from mb_evaluation.results import new_folder
from mb_sensors.command_api import import_log

RECORDINGS = {          # name -> (log, columns, parameters of the estimator, what it is given)
    'double_pendulum': (
        'double_pendulum/acrobot/experiment05.csv', 'double_pendulum/columns.yaml',
        'geared_double_pendulum.yaml',
        'The estimator is given both encoders and, as known torque, what the motors report less '
        'the pulses that they inject: the pulses stand for a force from outside, which a motor '
        'would not report.  The numbers of the machine were identified from recordings, also from '
        'this one.')}
ARGUMENTS = {
    'recording': Argument('double_pendulum', 'Recording of a real machine', tuple(RECORDINGS)),
    'rate': Argument('1.0', 'How fast it is played, beside how fast it was recorded', kind=float,
                     at_least=0.001, at_most=1000.0),
    **{name: EVERY_RUN[name] for name in ('results', 'record', 'strict', 'view', 'view_address')},
}
INPUT_RATE = 500.0      # [Hz]: instants wait for measured torques, so that runs are repeated


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    log, columns, config, known = RECORDINGS[given['recording']]
    share = Path(get_package_share_directory('mb_bringup'))
    folder = new_folder(given['results'])
    bag = folder / 'recording' / 'bag'
    import_log(share / 'recordings' / log, share / 'recordings' / columns, bag,
               [share / 'config' / config])
    replayed = Replayed({'bag': str(bag), 'config': '', 'mechanism': '', 'estimator': '',
                         'sensors': ''})
    parameters = {**replayed.parameters, 'input_rate': INPUT_RATE}
    run = LaunchedRun({**given, 'composed': 'false', 'priority': '0', 'respawn': 'false',
                       'disturbed': '0'}, parameters['mechanism'], [])
    run.follow('mb_estimators', 'estimator', parameters)
    run.show('replay')
    run.record(folder)
    return run.around(('recorded_monitor', {
        'estimator': parameters['estimator'], 'sensors': parameters['sensors'], 'bag': str(bag),
        'recording': given['recording'], 'known': known, 'reference': replayed.reference,
        'has_truth': False, 'wait_for_nodes': run.awaited, 'folder': str(folder)}),
        player(replayed, number(given, 'rate'), folder), judged=folder)
