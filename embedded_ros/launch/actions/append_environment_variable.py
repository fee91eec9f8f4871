"""Add to an environment variable."""
import os

from ..action import Action
from ..frontend.expose import expose_action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


@expose_action('append_env')
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

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.parse_substitution(entity.get_attr('name'))
        kwargs['value'] = parser.parse_substitution(entity.get_attr('value'))
        prepend = entity.get_attr('prepend', optional=True, data_type=bool, can_be_str=True)
        if prepend is not None:
            kwargs['prepend'] = parser.parse_if_substitutions(prepend)
        separator = entity.get_attr('separator', optional=True)
        if separator is not None:
            kwargs['separator'] = parser.parse_substitution(separator)
        return cls, kwargs

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    @property
    def value(self) -> list[Substitution]:
        return self.__value

    @property
    def prepend(self):
        return self.__prepend

    @property
    def separator(self) -> list[Substitution]:
        return self.__separator

    def execute(self, context) -> None:
        name = perform_substitutions(context, self.__name)
        value = perform_substitutions(context, self.__value)
        if name in context.environment:
            parts = [context.environment[name], value]
            if perform_typed_substitution(context, self.__prepend, bool):
                parts.reverse()
            value = perform_substitutions(context, self.__separator).join(parts)
        context.environment[name] = value
