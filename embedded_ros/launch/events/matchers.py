"""Matchers of actions."""
from collections.abc import Callable


def matches_action(target_action) -> Callable:
    """Return a predicate: whether an action is this one."""
    return lambda action: action == target_action
