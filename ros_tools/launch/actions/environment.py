"""Change environment variables."""
import os

from ..action import Action
from ..substitution import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


class AppendEnvironmentVariable(Action):
    """Puts a value behind (prepend: before) the present one; a missing variable is set to it."""

    def __init__(self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
                 prepend: bool | SomeSubstitutionsType = False,
                 separator: SomeSubstitutionsType = os.pathsep, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = normalize_to_list_of_substitutions(value)
        self.__prepend = normalize_typed_substitution(prepend, bool)
        self.__separator = normalize_to_list_of_substitutions(separator)

    def execute(self, context) -> None:
        name = perform_substitutions(context, self.__name)
        value = perform_substitutions(context, self.__value)
        if name in context.environment:
            parts = [context.environment[name], value]
            if perform_typed_substitution(context, self.__prepend, bool):
                parts.reverse()
            value = perform_substitutions(context, self.__separator).join(parts)
        context.environment[name] = value


class SetEnvironmentVariable(Action):
    """Gives an environment variable a value, for what follows in this scope."""

    def __init__(self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = normalize_to_list_of_substitutions(value)

    def execute(self, context) -> None:
        name = perform_substitutions(context, self.__name)
        context.environment[name] = perform_substitutions(context, self.__value)


class UnsetEnvironmentVariable(Action):
    """Removes an environment variable, for what follows in this scope."""

    def __init__(self, name: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)

    def execute(self, context) -> None:
        context.environment.pop(perform_substitutions(context, self.__name), None)
