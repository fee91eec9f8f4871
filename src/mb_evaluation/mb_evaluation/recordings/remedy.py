"""Commands that mend an estimate whose claims do not hold: tune, look again, launch."""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
import shlex
from typing import Any

from mb_estimators import Cause, StreamSettings, available_filters, filter_class
from mb_estimators.command_api import recorded_parameters
from mb_model.file_api import GivenParameters

# Settings of filters that make them trust their model less
PLANT_NOISE = ('acceleration_psd', 'acceleration_variance', 'jerk_psd', 'angular_jerk_psd',
               'pressure_psd', 'noise_force')
TUNED, OF_FORCES = 'tuned.yaml', 'error_ekf_fe'
_REPORT = 'ros2', 'run', 'mb_evaluation', 'report'


def remedies(given: Namespace, parameters: GivenParameters, estimator: str,
             sensors: Mapping[str, Mapping[str, Any]],
             has_forces: bool) -> list[tuple[str, str]]:
    """Return (what for, command) of what mends an estimate of the readings in a bag, in turn.

    given: parsed options of the report; estimator: name of the filter, nothing mends another
    estimate; sensors: figures of consistency by name; has_forces: whether it
    estimates unknown ones.
    """
    if estimator not in available_filters() or not sensors:
        return []
    declared = {name for name, _, _ in filter_class(estimator).Settings.describe()}
    varied = [name for name in PLANT_NOISE if name in declared][:2] + [
        f'{name}.sigma' for name, one in sensors.items() if one['cause'] == Cause.NOISE]
    varied = varied or [f'{name}.sigma' for name in sensors]
    files = [str(file) for file in given.config or recorded_parameters(given.bag)]
    bag, dt = str(given.bag), parameters.settings_of(StreamSettings).dt
    own = [word for one in given.settings if one.startswith('filter.')
           for word in ('--set', one.removeprefix('filter.'))]
    tune = tune_words([bag, *_chosen(given, sensors), '--estimator', estimator, '--dt', f'{dt:g}',
                       *own], varied)
    files = [*(file for file in files if file != TUNED), TUNED]
    again = [*_REPORT, bag, '--config', *files, '--output', f'{_name(bag)}_tuned']
    launch = ['ros2', 'launch', 'mb_bringup', 'replay.launch.py', f'bag:={bag}',
              f'config:={",".join(files)}']
    commands = [('tune', tune), ('look again', again), ('launch', launch)]
    if not has_forces and any(one['cause'] == Cause.LASTING for one in sensors.values()):
        commands.append(('estimate unknown forces', [
            *_REPORT, bag, *_chosen(given, sensors), '--estimator', OF_FORCES, '--output',
            f'{_name(bag)}_{OF_FORCES}']))
    return [(what, shlex.join(words)) for what, words in commands]


def tune_words(options: Sequence[str], varied: Sequence[str]) -> list[str]:
    """Return the words of the command that varies settings of a filter and writes TUNED."""
    return ['ros2', 'run', 'mb_estimators', 'tune', *options, '--vary', *varied, '--output', TUNED]


def _name(bag: str) -> str:
    """Return a name for what is made of a bag."""
    path = Path(bag).resolve()
    return path.parent.name if path.name == 'bag' else path.stem


def against_truth(given: Namespace, estimator: str, sensors: Sequence[str]) -> str:
    """Return the command that compares a filter, by its name, with the truth in the bag."""
    return shlex.join(['ros2', 'run', 'mb_evaluation', 'compare', str(given.bag),
                       *_chosen(given, sensors), '--estimators', estimator])


def _chosen(given: Namespace, sensors: Iterable[str]) -> list[str]:
    """Return options that say which machine, sensors and parameters count."""
    files = ['--config', *map(str, given.config)] if given.config else []
    return ['--mechanism', given.mechanism, '--sensors', *sensors, *files]
