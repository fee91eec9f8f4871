"""What runs of the three-simulation method share: an observer, judged against the prototype."""

from collections.abc import Mapping, Sequence
from typing import Any

from mb_bringup.arguments import number
from mb_bringup.launched_run import PATIENCE, LaunchedRun
from mb_evaluation.results import new_folder
from mb_sensors import Sensor


def observed(run: LaunchedRun, given: Mapping[str, str], sensors: Sequence[Sensor],
             errors: Mapping[str, Any], pace: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Add the estimator, viewers and the recorder to a run; return its monitor, for `actions`.

    given: values of the launch's arguments; sensors: that the estimator reads; errors: of the model
    against the prototype; pace: see pace_of.  To be called last: wrong arguments raise before, and
    leave no results folder behind.
    """
    observer = {**errors, 'estimator': given['estimator'],
                'sensors': [sensor.name for sensor in sensors]}
    run.follow('mb_estimators', 'estimator', observer, reads=sensors, resumes=True,
               unless_given={'reorder_window': PATIENCE * pace['real_time_factor']})
    run.show('three_simulation')
    folder = new_folder(given['results'])
    run.record(folder)
    return 'accuracy_monitor', {**pace, **observer, 'engine': given['prototype'],
                                'seed': number(given, 'seed', int), 'folder': str(folder)}
