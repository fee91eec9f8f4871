"""Declare an argument of a launch file."""
from collections.abc import Iterable

from ..action import Action
from ..frontend.expose import expose_action
from ..launch_description_entity import SomeSubstitutionsType
from ..logging import get_logger
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('arg')
class DeclareLaunchArgument(Action):
    """A launch configuration that may be given from outside, with default, text and choices."""

    def __init__(self, name: str, *, default_value: SomeSubstitutionsType | None = None,
                 description: str | None = None, choices: Iterable[str] | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.name = name
        self.__logger = get_logger(__name__)
        self.choices = None if choices is None else list(choices)
        self.default_value = (None if default_value is None
                                else normalize_to_list_of_substitutions(default_value))
        if self.choices is not None:
            if not self.choices:
                raise ValueError('Launch argument "choices" is an empty list. '
                                 'It must either be None or contain at least one choice')
            self._check_plain_default()
        self.description = self._full_description(description)
        self._conditionally_included = False

    def _check_plain_default(self) -> None:
        from ..substitutions import TextSubstitution
        default = self.default_value
        if default is None or not all(isinstance(part, TextSubstitution) for part in default):
            return
        text = ''.join(part.text for part in default)
        if text not in self.choices:
            raise ValueError(f'Provided default_value "{text}" is not in provided choices '
                             f'"{self.choices}".')

    def _full_description(self, description: str | None) -> str:
        text = 'no description given' if description is None else description
        if self.choices is None:
            return text
        dot = '' if text.endswith('.') else '.'
        return f'{text}{dot} Valid choices are: {self.choices}'

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

    def describe(self) -> str:
        return f"DeclareLaunchArgument('{self.name}')"

    def execute(self, context) -> None:
        configurations = context.launch_configurations
        if self.name not in configurations:
            if self.default_value is None:
                raise RuntimeError(f"Required launch argument '{self.name}' "
                                   f"(description: '{self.description}') was not provided")
            configurations[self.name] = perform_substitutions(context, self.default_value)
        value = configurations[self.name]
        if self.choices is not None and value not in self.choices:
            message = (f'Argument "{self.name}" provided value "{value}" is not valid. '
                       f'Valid options are: {self.choices}')
            self.__logger.error(message)
            raise RuntimeError(message)
