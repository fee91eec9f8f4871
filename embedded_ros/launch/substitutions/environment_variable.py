"""The value of an environment variable."""

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, from_to
from .substitution_failure import SubstitutionFailure


@expose_substitution('env')
class EnvironmentVariable(Substitution):
    """An environment variable, or a default if it is not set."""

    def __init__(self, name: SomeSubstitutionsType, *,
                 default_value: SomeSubstitutionsType | None = None) -> None:
        self.__name = normalize_to_list_of_substitutions(name)
        self.__default = (None if default_value is None
                          else normalize_to_list_of_substitutions(default_value))

    @classmethod
    def parse(cls, data):
        from_to('env', data, 1, 2)
        kwargs = {'name': data[0]}
        if len(data) == 2:
            kwargs['default_value'] = data[1]
        return cls, kwargs

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    @property
    def default_value(self) -> list[Substitution] | None:
        return self.__default

    def describe(self) -> str:
        return f'EnvVar({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        if name in context.environment:
            return context.environment[name]
        if self.__default is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return perform_substitutions(context, self.__default)
