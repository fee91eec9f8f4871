"""Parts of a path, joined."""
from collections.abc import Iterable
import os

from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions
from .described import described


class PathJoinSubstitution(Substitution):
    """The parts joined by the separator; each is one text or substitution."""

    def __init__(self, substitutions: Iterable[str | Substitution]) -> None:
        self.__parts = normalize_to_list_of_substitutions(substitutions)

    @property
    def substitutions(self) -> list[Substitution]:
        return self.__parts

    def describe(self) -> str:
        return f'PathJoin({described(self.__parts)})'

    def perform(self, context) -> str:
        return os.path.join(*[context.perform_substitution(part) for part in self.__parts])
