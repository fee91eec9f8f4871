"""Replace the whole environment."""
from collections.abc import Iterable

from ..action import Action
from ..frontend.expose import expose_action
from ..some_substitutions_type import SomeSubstitutionsMapping, SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions

Pair = tuple[SomeSubstitutionsType, SomeSubstitutionsType]


@expose_action('replace_env')
class ReplaceEnvironmentVariables(Action):
    """Replaces the environment by these variables, for what follows in this scope."""

    def __init__(self, environment: SomeSubstitutionsMapping | Iterable[Pair] | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__environment = [
            (normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
            for name, value in dict(environment or {}).items()]

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        variables = entity.get_attr('env', data_type=list, optional=True) or []
        kwargs['environment'] = {
            tuple(parser.parse_substitution(variable.get_attr('name'))):
            parser.parse_substitution(variable.get_attr('value')) for variable in variables}
        for variable in variables:
            variable.assert_entity_completely_parsed()
        return cls, kwargs

    @property
    def environment(self):
        return self.__environment

    def execute(self, context) -> None:
        context._replace_environment({
            perform_substitutions(context, name): perform_substitutions(context, value)
            for name, value in self.__environment})
