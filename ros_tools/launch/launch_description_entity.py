"""Anything that may stand in a launch description."""
import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .launch_context import LaunchContext


class LaunchDescriptionEntity:
    """Something which can be visited and described."""

    def describe(self) -> str:
        """Return one line that describes this to a reader."""
        return self.__repr__()

    def describe_sub_entities(self) -> list['LaunchDescriptionEntity']:
        """Return the entities that are always part of this one."""
        return []

    def describe_conditional_sub_entities(
            self) -> list[tuple[str, Iterable['LaunchDescriptionEntity']]]:
        """Return (condition text, entities) for the parts that appear on a condition only."""
        return []

    def visit(self, context: 'LaunchContext') -> list['LaunchDescriptionEntity'] | None:
        """Carry out this entity; return the entities to visit next, if any."""

    def get_asyncio_future(self) -> asyncio.Future | None:
        """Return a future that is done when this entity is, or None if that was at once."""
        return None


SomeEntitiesType = LaunchDescriptionEntity | Iterable[LaunchDescriptionEntity]
