"""What stands in a launch description, and texts that are known when the launch runs."""
import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .launch_context import LaunchContext
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


class Substitution:
    """Base of all substitutions: subclasses override perform()."""

    def perform(self, context: 'LaunchContext') -> str:
        """Return the text."""
        raise NotImplementedError(f'{type(self).__name__} does not implement perform()')

    def describe(self) -> str:
        """Return a short description of this substitution for a reader."""
        return self.__repr__()


SomeSubstitutionsType = str | Substitution | Iterable[str | Substitution]


SomeSubstitutionsMapping = Mapping[SomeSubstitutionsType, SomeSubstitutionsType]


SomeSubstitutionsType_types_tuple = (str, Substitution, Iterable)
