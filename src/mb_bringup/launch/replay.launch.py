"""A recorded bag played to an estimator again: another filter, other parameters, a new bag.

    ros2 launch mb_bringup replay.launch.py bag:=results/latest/bag estimator:=ukf rate:=2.0

The readings of the sensors, the truth where there is one, commands and time are played; the states
that were estimated then come on /recorded/estimator/state.  The replay monitor begins when
all nodes are set up.  At the end it compares the new estimates with the truth, or, without one,
with the recorded estimates.
"""

from mb_bringup.arguments import (
    EVERY_RUN,
    Argument,
    given_values,
    number,
)
from mb_bringup.described import described
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.replayed_bag import Replayed, player
from mb_estimators import available_filters
from mb_evaluation.results import new_folder

RECORDED = 'recorded'
ARGUMENTS = {
    'bag': Argument('results/latest/bag', 'Folder of the bag, of any storage and compression'),
    'estimator': Argument(RECORDED, 'Filter; recorded: as in the parameters',
                          (RECORDED, *available_filters())),
    'sensors': Argument('', 'Sensors or sensor groups that the filter reads, as "[a, b]" or '
                        '"a, b"; empty: as in the parameters'),
    'mechanism': Argument('', 'Name of a mechanism or path of its file; empty: as in the '
                          'parameters'),
    'config': Argument('', 'Parameter files of the estimator, separated by commas; empty: '
                       'parameters.yaml beside the bag, as recorded runs have it'),
    'rate': Argument('1.0', 'How fast the bag is played, beside how fast it was recorded',
                     kind=float, at_least=0.001, at_most=1000.0),
    **{name: EVERY_RUN[name] for name in (
        'realtime', 'results', 'record', 'strict', 'view', 'view_address')},
}


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one replay, and what ends it."""
    given = given_values(context, ARGUMENTS)
    chosen = dict(given, estimator='' if given['estimator'] == RECORDED else given['estimator'])
    replayed = Replayed(chosen)
    folder = new_folder(given['results'])       # last: wrong arguments leave nothing behind
    run = LaunchedRun({**given, 'composed': 'false', 'priority': '0', 'respawn': 'false',
                       'disturbed': '0'}, replayed.parameters['mechanism'], [])
    run.follow('mb_estimators', 'estimator', replayed.parameters)
    run.show('replay')
    run.record(folder)
    return run.around(('replay_monitor', {
        'estimator': replayed.parameters['estimator'], 'sensors': replayed.parameters['sensors'],
        'bag': given['bag'], 'reference': replayed.reference, 'has_truth': replayed.has_truth,
        'wait_for_nodes': run.awaited, 'folder': str(folder)}),
        player(replayed, number(given, 'rate'), folder))
