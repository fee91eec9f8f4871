"""A text that is known when the launch runs."""
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .launch_context import LaunchContext


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
