"""Actions for each of several values."""
from collections.abc import Callable
from typing import Any

import yaml

from ..action import Action
from ..frontend.expose import expose_action
from ..logging import get_logger
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .opaque_function import OpaqueFunction


def with_locals(values: dict[str, Any], entities: list) -> list:
    """Return actions that set local values, then these entities."""
    return [OpaqueFunction(function=lambda context: context.extend_locals(values)), *entities]


def parsed_children(entity, parser) -> Callable[[], list]:
    """Return a function that makes the child actions anew; they are parsed once at this point."""
    children = entity.children
    first = [[parser.parse_action(child) for child in children]]

    def make() -> list:
        return first.pop() if first else [parser.parse_action(child) for child in children]
    return make


@expose_action('for_each')
class ForEach(Action):
    """Calls a function once for each set of input values, and visits what it returns.

    The input values are YAML dicts separated by ';'; keys are the function's parameter names.
    """

    SEPARATOR = ';'

    def __init__(self, input_values: SomeSubstitutionsType, *, function: Callable,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise TypeError(f"ForEach expected a callable for 'function', got '{type(function)}'")
        self.__input_values = normalize_to_list_of_substitutions(input_values)
        self.__function = function
        self.__logger = get_logger(__name__)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['input_values'] = parser.parse_substitution(entity.get_attr('values'))
        make = parsed_children(entity, parser)
        kwargs['function'] = lambda **values: with_locals(values, make())
        return cls, kwargs

    @property
    def input_values(self):
        return self.__input_values

    @property
    def function(self) -> Callable:
        return self.__function

    def describe(self) -> str:
        return f'{type(self).__name__}(input_values={self.__input_values!r})'

    def execute(self, context) -> list:
        text = perform_substitutions(context, self.__input_values)
        parts = [part.strip() for part in text.split(self.SEPARATOR) if part.strip()]
        if not parts:
            self.__logger.warning('no input values: the for-each loop has no iteration')
        entities = []
        for part in parts:
            values = yaml.safe_load(part)
            if not isinstance(values, dict):
                raise ValueError(f"for-each values must be YAML dicts, got '{part}'")
            entities.extend(self.__function(**values) or ())
        return entities


@expose_action('for')
class ForLoop(Action):
    """Calls function(i) for i in 0 ... length - 1, and visits what it returns."""

    def __init__(self, length: SomeSubstitutionsType, *, function: Callable[[int], list],
                 name: str | None = None, **kwargs) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise TypeError(f"ForLoop expected a callable for 'function', got '{type(function)}'")
        self.__length = normalize_to_list_of_substitutions(length)
        self.__function = function
        self.__name = name

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['length'] = parser.parse_substitution(entity.get_attr('len'))
        name = kwargs['name'] = parser.escape_characters(entity.get_attr('name'))
        make = parsed_children(entity, parser)
        kwargs['function'] = lambda i: with_locals({name: i}, make())
        return cls, kwargs

    @property
    def length(self):
        return self.__length

    @property
    def function(self) -> Callable:
        return self.__function

    @property
    def name(self) -> str | None:
        return self.__name

    def describe(self) -> str:
        return f'{type(self).__name__}(length={self.__length!r})'

    def execute(self, context) -> list:
        length = int(perform_substitutions(context, self.__length))
        if length < 0:
            raise ValueError(f'for loop length is negative: {length}')
        return [ForEach(ForEach.SEPARATOR.join(f'{{index: {i}}}' for i in range(length)),
                        function=lambda index: self.__function(index))]
