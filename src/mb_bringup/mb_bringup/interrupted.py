"""What Ctrl-C leaves of a run: its recording and a line on it, or nothing and a line on that."""

import atexit
from collections.abc import Callable
from functools import cache
from pathlib import Path
import shutil
import subprocess
from typing import Any

from ament_index_python.packages import get_packages_with_prefixes
from launch import LaunchContext
from launch.actions import RegisterEventHandler
from launch.event_handlers import OnShutdown
import yaml

from mb_bringup.onlookers import STREAMS
from mb_evaluation.results import remove_folder


def when_interrupted(folder: Path, is_over: Callable[[], bool]) -> Any:
    """Return the action that lets the launch say what Ctrl-C has left, when all has ended.

    folder: of the results of the run; is_over(): whether its monitor has ended.
    """
    def note(event: Any, _context: LaunchContext) -> None:
        if event.due_to_sigint and not is_over():
            atexit.register(_conclude, folder)
    return RegisterEventHandler(OnShutdown(on_shutdown=note))


def _conclude(folder: Path) -> None:
    """Say what is left in a results folder; remove it if nothing of the run is."""
    if (folder / 'report.json').exists():
        return
    if has_recorded(folder / 'bag'):
        print(f'interrupted: `ros2 run mb_evaluation report {folder}` makes the report of what was '
              'recorded', flush=True)
        return
    before = remove_folder(folder)
    latest = folder.with_name('latest')
    print('interrupted before anything was recorded: ' + (
        f'{latest} is the run before, {before}' if before else f'there is no {latest}'), flush=True)


def has_recorded(bag: Path) -> bool:
    """Return whether a bag, or half a bag without metadata, may have messages of a run."""
    try:
        metadata = yaml.safe_load((bag / 'metadata.yaml').read_text(encoding='utf-8'))
        topics = metadata['rosbag2_bagfile_information']['topics_with_message_count']
    except OSError:
        return bag.is_dir() and any(bag.iterdir())
    return any(topic['message_count'] and topic['topic_metadata']['name'] in STREAMS
               for topic in topics)


@cache
def before_node() -> list[str]:
    """Return the words before a command that listens for Ctrl-C itself when it can act on it.

    Until then the signal waits.  Otherwise it would kill a Python that is just starting, and launch
    would report a process that has died.  That is left in the milliseconds until `env` itself runs.
    """
    words = [shutil.which('env') or 'env', '--block-signal=INT']
    try:
        done = subprocess.run([*words, 'true'], check=False, capture_output=True)
    except OSError:
        return []
    return [] if done.returncode else words      # not of GNU


def before_recorder() -> list[str]:
    """Return the words before the recorder: none if it is the one in C++, which keeps a block."""
    return [] if 'rosbag2_transport' in get_packages_with_prefixes() else before_node()
