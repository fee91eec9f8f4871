"""Type of a text, a substitution, or several of them which are to be joined."""
import collections.abc
from collections.abc import Iterable, Mapping

from .substitution import Substitution

SomeSubstitutionsType = str | Substitution | Iterable[str | Substitution]
SomeSubstitutionsMapping = Mapping[SomeSubstitutionsType, SomeSubstitutionsType]
SomeSubstitutionsType_types_tuple = (str, Substitution, collections.abc.Iterable)
