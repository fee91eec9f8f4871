"""A list of entities: what a launch file returns."""
from collections.abc import Iterable

from .launch_context import LaunchContext
from .launch_description_entity import LaunchDescriptionEntity


class LaunchDescription(LaunchDescriptionEntity):
    """What is to be launched, without launching it."""

    def __init__(self, initial_entities: Iterable[LaunchDescriptionEntity] | None = None,
                 ) -> None:
        self.entities = list(initial_entities) if initial_entities is not None else []

    def add_entity(self, entity: LaunchDescriptionEntity) -> None:
        self.entities.append(entity)

    def add_action(self, action) -> None:
        self.add_entity(action)

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        return self.entities

    def describe_sub_entities(self) -> list[LaunchDescriptionEntity]:
        return self.entities

    def get_launch_arguments(self, conditional_inclusion: bool = False) -> list:
        """Return the DeclareLaunchArgument actions, first of each name, depth first."""
        return [argument for argument, _ in
                self.get_launch_arguments_with_include_launch_description_actions(
                    conditional_inclusion)]

    def get_launch_arguments_with_include_launch_description_actions(
            self, conditional_inclusion: bool = False) -> list[tuple]:
        """Return (DeclareLaunchArgument, includes that lead to it or None) for each argument."""
        from .actions import DeclareLaunchArgument, IncludeLaunchDescription
        found: list[tuple] = []

        def collect(entities, conditional, includes) -> None:
            for entity in entities:
                if isinstance(entity, DeclareLaunchArgument):
                    if all(entity.name != other.name for other, _ in found):
                        entity._conditionally_included = conditional
                        found.append((entity, includes))
                    continue
                inner = includes
                if isinstance(entity, IncludeLaunchDescription):
                    inner = [*(includes or ()), entity]
                conditional_here = conditional or getattr(entity, 'condition', None) is not None
                collect(entity.describe_sub_entities(), conditional_here, inner)
                for _, others in entity.describe_conditional_sub_entities():
                    collect(others, True, inner)

        collect(self.entities, conditional_inclusion, None)
        return found
