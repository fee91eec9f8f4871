"""Processes that go before all others: Linux schedules them first in, first out.

Their memory stays where it is, too: one that was paged out is late, whatever its priority.
"""

import subprocess
from typing import Any

from mb_ros.memory_lock import LOCK


def options_of(priority: int) -> dict[str, Any]:
    """Return the options of a Node with a real-time priority and locked memory, none for 0."""
    return {'prefix': ' '.join(['env', f'{LOCK}=1', *_command(priority)])} if priority else {}


def check_priority(priority: int) -> None:
    """Raise ValueError for a real-time priority that is not to be had; 0 is none."""
    if not priority:
        return
    try:
        tried = subprocess.run([*_command(priority), 'true'], capture_output=True, text=True)
        problem = tried.stderr.strip() if tried.returncode else ''
    except OSError as error:
        problem = str(error)
    if problem:
        raise ValueError(f'priority: {priority}: not to be had ({problem}), expected 1 to 99 for '
                         'root, in a container with CAP_SYS_NICE, or with an rtprio limit in '
                         '/etc/security/limits.conf')


def _command(priority: int) -> list[str]:
    return ['chrt', '--fifo', str(priority)]
