"""The tree of processes below one, by what Linux reports of them."""

import os
from pathlib import Path

PAGE = os.sysconf('SC_PAGE_SIZE')
TICKS = os.sysconf('SC_CLK_TCK')     # per second


def children(process: int) -> list[int]:
    """Return the process ids of the children of a process; none of one that has ended."""
    try:
        return [int(child) for task in Path(f'/proc/{process}/task').iterdir()
                for child in (task / 'children').read_text().split()]
    except OSError:
        return []


def descendants(process: int) -> list[int]:
    """Return the process ids of all processes below one."""
    processes = children(process)
    return processes + [below for child in processes for below in descendants(child)]


def words(process: int) -> list[str]:
    """Return the command line of a process, as a list; an empty one for one that has ended."""
    try:
        return Path(f'/proc/{process}/cmdline').read_text().split('\0')
    except OSError:
        return []


def keeper_of(program: str, launch: int) -> int:
    """Return the process id of the `keep` of a node, below the process of a launch.

    program: PACKAGE/NODE.  Raises LookupError if there is none.
    """
    for process in descendants(launch):
        if program in words(process):
            return process
    raise LookupError(program)


def template_of(program: str, launch: int) -> int:
    """Return the process id from which the lives of a kept node are forked; see keeper_of."""
    return _only_child(program, keeper_of(program, launch))


def life_of(program: str, launch: int) -> int:
    """Return the process id of the present life of a kept node; see keeper_of."""
    return _only_child(program, template_of(program, launch))


def _only_child(program: str, process: int) -> int:
    processes = children(process)
    if not processes:
        raise LookupError(program)
    return processes[0]


def node_names(process: int) -> str:
    """Return the names of the nodes that a process runs, `bag` for a recorder, else nothing."""
    line = words(process)
    if 'record' in line:
        return 'bag'
    return ', '.join(word.removeprefix('__node:=') for word in line if word.startswith('__node:='))


def memory(process: int) -> float:
    """Return the resident memory of a process [MB]."""
    return int(Path(f'/proc/{process}/statm').read_text().split()[1]) * PAGE / 1e6


def processor_time(process: int) -> float:
    """Return the processor time of a process and all that it started [s], 0.0 for one that ended.

    The time of ended children counts once their parent has waited for them.
    """
    try:
        fields = Path(f'/proc/{process}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / TICKS      # user, system, and both of ended children
    return own + sum(map(processor_time, children(process)))
