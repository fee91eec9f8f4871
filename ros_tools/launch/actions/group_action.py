"""Several actions as one."""
from collections.abc import Iterable

from ..action import Action
from ..frontend.expose import expose_action
from ..launch_description_entity import SomeSubstitutionsMapping
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .configurations import SetLaunchConfiguration
from .opaque_function import OpaqueFunction


@expose_action('group')
class GroupAction(Action):
    """Actions under one condition, whose configurations and environment end with the group.

    scoped=False lets them leak out; forwarding=False hides what is set outside, but for
    launch_configurations, which are set for the group.
    """

    def __init__(self, actions: Iterable[Action], *, scoped: bool = True,
                 forwarding: bool = True,
                 launch_configurations: SomeSubstitutionsMapping | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__actions = list(actions)
        self.__scoped = scoped
        self.__forwarding = forwarding
        self.__launch_configurations = dict(launch_configurations or {})
        self.__actions_to_return: list[Action] | None = None

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        for option in ('scoped', 'forwarding'):
            value = entity.get_attr(
                option, data_type=bool, optional=True, can_be_str=False)
            if value is not None:
                kwargs[option] = value
        keeps = entity.get_attr('keep', data_type=list, optional=True)
        kept = {}
        for keep in keeps or ():
            _, item = SetLaunchConfiguration.parse(keep, parser)
            keep.assert_entity_completely_parsed()
            kept[tuple(item['name'])] = item['value']
        kwargs['launch_configurations'] = kept
        kwargs['actions'] = [parser.parse_action(child) for child in entity.children
                             if child.type_name != 'keep']
        return cls, kwargs

    def get_sub_entities(self) -> list[Action]:
        """Return the actions together with the actions that make the scope."""
        if self.__actions_to_return is None:
            configurations = self.__launch_configurations
            if self.__forwarding:
                setup = [SetLaunchConfiguration(name, value)
                         for name, value in configurations.items()]
            else:
                setup = [OpaqueFunction(function=self._hide)]
            inside = [*setup, *self.__actions]
            if self.__scoped:
                inside = [OpaqueFunction(function=self._push), *inside,
                          OpaqueFunction(function=self._pop)]
            self.__actions_to_return = inside
        return self.__actions_to_return

    def _hide(self, context) -> None:
        """Return to the first environment, and to no launch configurations but the given ones."""
        kept = {perform_substitutions(context, normalize_to_list_of_substitutions(name)):
                perform_substitutions(context, normalize_to_list_of_substitutions(value))
                for name, value in self.__launch_configurations.items()}
        context._reset_environment()
        context.launch_configurations.clear()
        context.launch_configurations.update(kept)

    @staticmethod
    def _push(context) -> None:
        context._push_launch_configurations()
        context._push_environment()

    @staticmethod
    def _pop(context) -> None:
        context._pop_environment()
        context._pop_launch_configurations()

    def describe_sub_entities(self):
        return self.__actions if self.condition is None else []

    def describe_conditional_sub_entities(self):
        if self.condition is None:
            return []
        return [(self.condition.describe(), self.__actions)]

    def describe(self):
        return f'GroupAction(scoped={self.__scoped}, forwarding={self.__forwarding})'

    def execute(self, context) -> list[Action]:
        return self.get_sub_entities()
