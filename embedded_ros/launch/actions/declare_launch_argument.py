"""Declare an argument of a launch file."""
from collections.abc import Iterable

from ..action import Action
from ..frontend.expose import expose_action
from ..logging import get_logger
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('arg')
class DeclareLaunchArgument(Action):
    """A launch configuration that may be given from outside, with default, text and choices."""

    def __init__(self, name: str, *, default_value: SomeSubstitutionsType | None = None,
                 description: str | None = None, choices: Iterable[str] | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = name
        self.__logger = get_logger(__name__)
        self.__choices = None if choices is None else list(choices)
        self.__default_value = (None if default_value is None
                                else normalize_to_list_of_substitutions(default_value))
        if self.__choices is not None:
            if not self.__choices:
                raise ValueError('Launch argument "choices" is an empty list. '
                                 'It must either be None or contain at least one choice')
            self._check_plain_default()
        self.__description = self._full_description(description)
        self._conditionally_included = False

    def _check_plain_default(self) -> None:
        from ..substitutions import TextSubstitution
        default = self.__default_value
        if default is None or not all(isinstance(part, TextSubstitution) for part in default):
            return
        text = ''.join(part.text for part in default)
        if text not in self.__choices:
            raise ValueError(f'Provided default_value "{text}" is not in provided choices '
                             f'"{self.__choices}".')

    def _full_description(self, description: str | None) -> str:
        text = 'no description given' if description is None else description
        if self.__choices is None:
            return text
        dot = '' if text.endswith('.') else '.'
        return f'{text}{dot} Valid choices are: {self.__choices}'

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.escape_characters(entity.get_attr('name'))
        default = entity.get_attr('default', optional=True)
        if default is not None:
            kwargs['default_value'] = parser.parse_substitution(default)
        description = entity.get_attr('description', optional=True)
        if description is not None:
            kwargs['description'] = parser.escape_characters(description)
        choices = entity.get_attr('choice', data_type=list, optional=True)
        if choices is not None:
            kwargs['choices'] = [
                parser.escape_characters(choice.get_attr('value')) for choice in choices]
        return cls, kwargs

    @property
    def name(self) -> str:
        return self.__name

    @property
    def default_value(self) -> list[Substitution] | None:
        return self.__default_value

    @property
    def description(self) -> str:
        return self.__description

    @property
    def choices(self) -> list[str] | None:
        return self.__choices

    def describe(self) -> str:
        return f"DeclareLaunchArgument('{self.__name}')"

    def execute(self, context) -> None:
        configurations = context.launch_configurations
        if self.__name not in configurations:
            if self.__default_value is None:
                raise RuntimeError(f"Required launch argument '{self.__name}' "
                                   f"(description: '{self.__description}') was not provided")
            configurations[self.__name] = perform_substitutions(context, self.__default_value)
        value = configurations[self.__name]
        if self.__choices is not None and value not in self.__choices:
            message = (f'Argument "{self.__name}" provided value "{value}" is not valid. '
                       f'Valid options are: {self.__choices}')
            self.__logger.error(message)
            raise RuntimeError(message)
