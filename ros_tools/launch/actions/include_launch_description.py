"""Include a launch file or another launch description."""
from collections.abc import Iterable
import os

from ..action import Action
from ..frontend.expose import expose_action
from ..launch_context import LaunchContext
from ..launch_description_entity import SomeSubstitutionsType
from ..launch_description_sources import LaunchDescriptionSource
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .configurations import SetLaunchConfiguration
from .opaque_function import OpaqueFunction

Pair = tuple[SomeSubstitutionsType, SomeSubstitutionsType]
LOCATION = ('current_launch_file_path', 'current_launch_file_directory')


@expose_action('include')
class IncludeLaunchDescription(Action):
    """Loads a launch description, sets its arguments, and visits it; it is no scope of its own."""

    def __init__(self, launch_description_source: LaunchDescriptionSource | SomeSubstitutionsType,
                 *, launch_arguments: Iterable[Pair] | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        if not isinstance(launch_description_source, LaunchDescriptionSource):
            from ..launch_description_sources import AnyLaunchDescriptionSource
            launch_description_source = AnyLaunchDescriptionSource(launch_description_source)
        self.__source = launch_description_source
        self.__launch_arguments = tuple(launch_arguments or ())

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['launch_description_source'] = parser.parse_substitution(entity.get_attr('file'))
        arguments = []
        for tag in ('let', 'arg'):
            for item in entity.get_attr(tag, data_type=list, optional=True) or ():
                arguments.append((parser.parse_substitution(item.get_attr('name')),
                                  parser.parse_substitution(item.get_attr('value'))))
                item.assert_entity_completely_parsed()
        if arguments:
            kwargs['launch_arguments'] = arguments
        return cls, kwargs

    def describe(self) -> str:
        return f'IncludeLaunchDescription({self.__source.location})'

    def describe_sub_entities(self):
        description = self.__source.try_get_launch_description_without_context()
        return [description] if description is not None else []

    def _argument_names(self, context) -> list[str]:
        return [perform_substitutions(context, normalize_to_list_of_substitutions(name))
                for name, _ in self.__launch_arguments]

    def _try_get_arguments_names_without_context(self) -> list[str]:
        try:
            return self._argument_names(LaunchContext())
        except Exception:
            return []       # a name depends on what only the running launch knows

    def execute(self, context):
        description = self.__source.get_launch_description(context)
        self._check_arguments(context, description)
        before = {key: context.get_locals_as_dict().get(key) for key in LOCATION}
        self._set_location(context)
        return [
            *[SetLaunchConfiguration(name, value) for name, value in self.__launch_arguments],
            description,
            OpaqueFunction(function=lambda context: context.extend_locals(before))]

    def _set_location(self, context) -> None:
        path = self.__source.location
        if not path:
            return
        folder = path               # a name such as <script>
        if os.path.exists(path):
            path = os.path.abspath(path)
            folder = os.path.dirname(path)
        context.extend_locals(dict(zip(LOCATION, (path, folder), strict=True)))

    def _check_arguments(self, context, description) -> None:
        """Raise a RuntimeError if an argument without default is not given."""
        mine = self._argument_names(context)
        arguments = description.get_launch_arguments_with_include_launch_description_actions()
        for argument, includes in arguments:
            if argument._conditionally_included or argument.default_value is not None:
                continue
            given = [*mine, *(name for include in includes or ()
                              for name in include._try_get_arguments_names_without_context())]
            if argument.name not in given:
                raise RuntimeError(
                    f"Included launch description missing required argument '{argument.name}' "
                    f"(description: '{argument.description}'), given: [{', '.join(given)}]")
