"""Change launch configurations."""
from ..action import Action
from ..frontend.expose import expose_action
from ..substitution import SomeSubstitutionsType
from ..substitutions.described import described
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


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
