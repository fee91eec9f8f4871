"""Call a function when the launch runs."""
from collections.abc import Callable, Iterable
from typing import Any

from ..action import Action
from ..utilities import ensure_argument_type


class OpaqueFunction(Action):
    """Calls function(context, *args, **kwargs); the entities it returns follow."""

    def __init__(self, *, function: Callable, args: Iterable[Any] | None = None,
                 kwargs: dict[str, Any] | None = None, **left_over_kwargs) -> None:
        super().__init__(**left_over_kwargs)
        if not callable(function):
            raise TypeError("OpaqueFunction expected a callable for 'function', "
                            f"got '{type(function)}'")
        ensure_argument_type(args, (Iterable, type(None)), 'args', 'OpaqueFunction')
        ensure_argument_type(kwargs, (dict, type(None)), 'kwargs', 'OpaqueFunction')
        self.__function = function
        self.__args = tuple(args or ())
        self.__kwargs = dict(kwargs or {})

    def describe(self) -> str:
        return f'OpaqueFunction({getattr(self.__function, "__name__", self.__function)})'

    def execute(self, context) -> list | None:
        return self.__function(context, *self.__args, **self.__kwargs)
