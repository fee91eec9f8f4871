"""A list of entities: what a launch file returns."""
from collections.abc import Iterable

from .launch_context import LaunchContext
from .launch_description_entity import LaunchDescriptionEntity


class LaunchDescription(LaunchDescriptionEntity):
    """What is to be launched, without launching it."""

    def __init__(self, initial_entities: Iterable[LaunchDescriptionEntity] | None = None, *,
                 deprecated_reason: str | None = None) -> None:
        self.__entities = list(initial_entities) if initial_entities is not None else []
        self.__deprecated_reason = deprecated_reason

    @property
    def entities(self) -> list[LaunchDescriptionEntity]:
        return self.__entities

    @property
    def deprecated(self) -> bool:
        return self.__deprecated_reason is not None

    @property
    def deprecated_reason(self) -> str | None:
        return self.__deprecated_reason

    def add_entity(self, entity: LaunchDescriptionEntity) -> None:
        self.__entities.append(entity)

    def add_action(self, action) -> None:
        self.add_entity(action)

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Return the entities, warning first if this description is deprecated."""
        if self.deprecated:
            from .logging import get_logger
            path = context.get_locals_as_dict().get('current_launch_file_path')
            message = (f'launch file [{path}] is deprecated' if path is not None
                       else 'deprecated launch description')
            reason = f': {self.__deprecated_reason}' if self.__deprecated_reason else ''
            get_logger(__name__).warning(message + reason)
        return self.__entities

    def describe_sub_entities(self) -> list[LaunchDescriptionEntity]:
        return self.__entities

    def get_launch_arguments(self, conditional_inclusion: bool = False) -> list:
        """Return the DeclareLaunchArgument actions, first of each name, depth first."""
        return [argument for argument, _ in
                self.get_launch_arguments_with_include_launch_description_actions(
                    conditional_inclusion)]

    def get_launch_arguments_with_include_launch_description_actions(
            self, conditional_inclusion: bool = False) -> list[tuple]:
        """Return (DeclareLaunchArgument, includes that lead to it or None) for each argument."""
        from .actions import (
            DeclareLaunchArgument,
            IncludeLaunchDescription,
            ResetLaunchConfigurations,
        )
        found: list[tuple] = []

        def collect(entities, conditional, includes) -> None:
            for entity in entities:
                if isinstance(entity, DeclareLaunchArgument):
                    if all(entity.name != other.name for other, _ in found):
                        entity._conditionally_included = conditional
                        found.append((entity, includes))
                    continue
                if isinstance(entity, ResetLaunchConfigurations):
                    return          # what follows cannot be set from outside
                inner = includes
                if isinstance(entity, IncludeLaunchDescription):
                    inner = [*(includes or ()), entity]
                conditional_here = conditional or getattr(entity, 'condition', None) is not None
                collect(entity.describe_sub_entities(), conditional_here, inner)
                for _, others in entity.describe_conditional_sub_entities():
                    collect(others, True, inner)

        collect(self.entities, conditional_inclusion, None)
        return found
