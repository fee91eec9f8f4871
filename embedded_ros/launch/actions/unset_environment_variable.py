"""Remove an environment variable."""

from ..action import Action
from ..frontend.expose import expose_action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('unset_env')
class UnsetEnvironmentVariable(Action):
    """Removes an environment variable, for what follows in this scope."""

    def __init__(self, name: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.parse_substitution(entity.get_attr('name'))
        return cls, kwargs

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    def execute(self, context) -> None:
        context.environment.pop(perform_substitutions(context, self.__name), None)
