"""Values of the current turn of a loop."""

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, exactly, from_to
from .substitution_failure import SubstitutionFailure


@expose_substitution('for-var')
class ForEachVar(Substitution):
    """A variable of the enclosing ForEach, by name."""

    def __init__(self, name: SomeSubstitutionsType, *,
                 default_value: SomeSubstitutionsType | None = None) -> None:
        self.__name = normalize_to_list_of_substitutions(name)
        self.__default = (None if default_value is None
                          else normalize_to_list_of_substitutions(default_value))

    @classmethod
    def parse(cls, data):
        from_to('for-var', data, 1, 2)
        kwargs = {'name': data[0]}
        if len(data) == 2:
            kwargs['default_value'] = data[1]
        return cls, kwargs

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    def describe(self) -> str:
        return f'ForEachVar({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        values = context.get_locals_as_dict()
        if name in values:
            return str(values[name])
        if self.__default is None:
            raise SubstitutionFailure(f"No value available for for-loop variable '{name}'")
        return perform_substitutions(context, self.__default)


@expose_substitution('index')
class ForLoopIndex(Substitution):
    """The index of the enclosing ForLoop, by the loop's name."""

    def __init__(self, name: SomeSubstitutionsType) -> None:
        self.__name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, data):
        exactly('index', data, 1)
        return cls, {'name': data[0]}

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    def describe(self) -> str:
        return f'ForLoopIndex({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        values = context.get_locals_as_dict()
        if name not in values:
            raise SubstitutionFailure(f"No index available for for-loop '{name}'")
        return str(values[name])
