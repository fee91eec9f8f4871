"""A launched run as a tree of processes, by what Linux tells of them."""

from contextlib import contextmanager
import os
from pathlib import Path
import signal
import subprocess

PAGE = os.sysconf('SC_PAGE_SIZE')
CALM = 60.0         # wall time that a launched run has to end [s]


@contextmanager
def launched(launch_file, arguments, output, environment=None):
    """Give the process of a launch file of this package; end everything in any case.

    arguments: dict; output: open file for what is printed; environment: dict of what differs.
    """
    process = subprocess.Popen(
        ['ros2', 'launch', 'mb_bringup', launch_file,
         *(f'{name}:={value}' for name, value in arguments.items())],
        stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        env={**os.environ, **(environment or {})},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(CALM)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def children(process):
    """Return the process ids of the children of a process; none of one that has ended."""
    try:
        return [int(child) for task in Path(f'/proc/{process}/task').iterdir()
                for child in (task / 'children').read_text().split()]
    except OSError:
        return []


def descendants(process):
    """Return the process ids of all processes below one."""
    found = children(process)
    return found + [below for child in found for below in descendants(child)]


def words(process):
    """Return the command line of a process, as a list; an empty one for one that has ended."""
    try:
        return Path(f'/proc/{process}/cmdline').read_text().split('\0')
    except OSError:
        return []


def keeper_of(program, launch):
    """Return the process id of the `keep` of a node, below the process of a launch.

    program: PACKAGE/NODE.  Raises LookupError if there is none.
    """
    for found in descendants(launch):
        if program in words(found):
            return found
    raise LookupError(program)


def template_of(program, launch):
    """Return the process id from which the lives of a kept node are forked; see keeper_of."""
    return _only_child(program, keeper_of(program, launch))


def life_of(program, launch):
    """Return the process id of the present life of a kept node; see keeper_of."""
    return _only_child(program, template_of(program, launch))


def _only_child(program, process):
    found = children(process)
    if not found:
        raise LookupError(program)
    return found[0]


def node_names(process):
    """Return the names of the nodes that a process runs, `bag` for a recorder, else nothing."""
    line = words(process)
    if 'record' in line:
        return 'bag'
    return ', '.join(word.removeprefix('__node:=') for word in line if word.startswith('__node:='))


def memory(process):
    """Return the resident memory of a process [MB]."""
    return int(Path(f'/proc/{process}/statm').read_text().split()[1]) * PAGE / 1e6
