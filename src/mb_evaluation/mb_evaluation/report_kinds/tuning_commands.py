"""What to do where the noises of a filter do not suit a machine: commands, to be pasted."""

from collections.abc import Sequence
import os
from pathlib import Path
from shlex import join
from typing import Any

from mb_estimators import FilterError, filter_class
from mb_evaluation.recordings.remedy import TUNED, tune_words


def tuning_commands(estimator: str, source: Sequence[str], launch: Sequence[str]) -> list[str]:
    """Return the command that tunes a filter, and the launch with its result.

    estimator: name of the filter; source: the bag of the run, or options of `tune` instead; launch:
    `ros2 launch` with its arguments, without `config`.  Nothing for a filter whose noises of
    accelerations are no settings.
    """
    noises = noises_of(estimator)
    if not noises:
        return []
    words = [_short(word) if Path(word).is_absolute() else word for word in source]
    return [join(tune_words(words, noises)), join([*launch, f'config:={TUNED}'])]


def noises_of(estimator: str) -> list[str]:
    """Return the settings of a filter, by its name, that say how wrong its model may be."""
    try:
        described = filter_class(estimator).Settings.describe()
    except FilterError:             # of a run on another machine
        return []
    return [name for name, _, one in described
            if name in ('acceleration_psd', 'acceleration_variance') and one.grows]


def launch_words(launch_file: str, arguments: dict[str, Any]) -> list[str]:
    """Return `ros2 launch` of a launch file of mb_bringup with arguments by name."""
    return ['ros2', 'launch', 'mb_bringup', f'{launch_file}.launch.py',
            *(f'{name}:={_text(value)}' for name, value in arguments.items())]


def _text(value: Any) -> str:
    """Return the value of a launch argument as text."""
    if isinstance(value, (list, tuple)):
        return ', '.join(value)
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def _short(path: str) -> str:
    """Return a path relative to the present folder, if it is inside."""
    relative = os.path.relpath(path)
    return path if relative.startswith('..') else relative
