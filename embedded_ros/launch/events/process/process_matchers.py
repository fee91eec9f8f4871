"""Matchers of processes."""
from collections.abc import Callable


def matches_pid(pid: int) -> Callable:
    """Return a predicate: whether an action's process has this pid."""
    def matcher(action) -> bool:
        details = action.process_details
        return details is not None and details.get('pid') == pid
    return matcher


def matches_name(name: str) -> Callable:
    """Return a predicate: whether an action's process has this name."""
    def matcher(action) -> bool:
        details = action.process_details
        return details is not None and details.get('name') == name
    return matcher


def matches_executable(executable: str) -> Callable:
    """Return a predicate: whether an action's process runs what ends like this path."""
    def matcher(action) -> bool:
        details = action.process_details
        return details is not None and details['cmd'][0].endswith(executable)
    return matcher
