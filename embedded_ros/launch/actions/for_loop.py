"""Actions for each of several values."""
from collections.abc import Callable
from typing import Any

import yaml

from ..action import Action
from ..frontend.expose import expose_action
from ..logging import get_logger
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitutions import TextSubstitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .group_action import GroupAction
from .opaque_function import OpaqueFunction


def with_locals(values: dict[str, Any], entities: list) -> list:
    """Return actions that set local values, then these entities."""
    def extend(context):
        context.extend_locals(values)
    return [OpaqueFunction(function=extend), *entities]


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
        children = entity.children

        def entities(**values):
            return with_locals(values, [parser.parse_action(child) for child in children])
        for child in children:          # a first, unused parse: errors are found when loading
            parser.parse_action(child)
        kwargs['function'] = entities
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
        if not text.strip():
            self.__logger.warning('no input values: the for-each loop has no iteration')
            return []
        turns = []
        for part in text.strip().strip(self.SEPARATOR).split(self.SEPARATOR):
            values = yaml.safe_load(part.strip())
            if not isinstance(values, dict):
                raise ValueError(f"for-each values must be YAML dicts, got '{part.strip()}'")
            entities = self.__function(**values)
            if entities:
                turns.append(GroupAction(list(entities), scoped=True))
        return turns


@expose_action('for')
class ForLoop(Action):
    """Calls function(i) for i in 0 ... length - 1, and visits what it returns."""

    def __init__(self, length: SomeSubstitutionsType, *, function: Callable[[int], list],
                 name: SomeSubstitutionsType | None = None, **kwargs) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise TypeError(f"ForLoop expected a callable for 'function', got '{type(function)}'")
        self.__length = normalize_to_list_of_substitutions(length)
        self.__function = function
        self.__name = None if name is None else normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['length'] = parser.parse_substitution(entity.get_attr('len'))
        name = parser.escape_characters(entity.get_attr('name'))
        kwargs['name'] = [TextSubstitution(text=name)]
        children = entity.children

        def entities(i):
            return with_locals({name: i}, [parser.parse_action(child) for child in children])
        for child in children:
            parser.parse_action(child)
        kwargs['function'] = entities
        return cls, kwargs

    @property
    def length(self):
        return self.__length

    @property
    def function(self) -> Callable:
        return self.__function

    def execute(self, context) -> list:
        length = int(perform_substitutions(context, self.__length))
        if length < 0:
            raise ValueError(f'for loop length is negative: {length}')
        turns = []
        for index in range(length):
            entities = self.__function(index)
            if entities:
                turns.append(GroupAction(list(entities), scoped=True))
        return turns
