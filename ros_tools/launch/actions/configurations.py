"""Change launch configurations and environment variables."""
import os

from ..action import Action
from ..frontend.expose import expose_action
from ..launch_description_entity import SomeSubstitutionsType
from ..substitutions.values import described
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


@expose_action('let')
class SetLaunchConfiguration(Action):
    """Gives a launch configuration a value, for what follows in this scope."""

    def __init__(self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = normalize_to_list_of_substitutions(value)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.parse_substitution(entity.get_attr('name'))
        kwargs['value'] = parser.parse_substitution(entity.get_attr('value'))
        return cls, kwargs

    def describe(self) -> str:
        return f'SetLaunchConfiguration({described(self.__name)}, {described(self.__value)})'

    def execute(self, context) -> None:
        name = perform_substitutions(context, self.__name)
        context.launch_configurations[name] = perform_substitutions(context, self.__value)


class UnsetLaunchConfiguration(Action):
    """Removes a launch configuration, for what follows in this scope."""

    def __init__(self, name: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)

    def execute(self, context) -> None:
        context.launch_configurations.pop(perform_substitutions(context, self.__name), None)


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
