"""A truth value that is known when the launch runs."""
from collections.abc import Callable

from .launch_context import LaunchContext


class Condition:
    """A predicate of the launch context."""

    def __init__(self, *, predicate: Callable[[LaunchContext], bool] | None = None) -> None:
        self._predicate = predicate
        self.__last = None

    def describe(self) -> str:
        return self.__repr__()

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether the condition holds now; a NotImplementedError without predicate."""
        if self._predicate is None:
            raise NotImplementedError('This condition has no predicate')
        self.__last = self._predicate(context)
        return self.__last
