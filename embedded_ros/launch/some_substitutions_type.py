"""Type of a text, a substitution, or several of them which are to be joined."""
import collections.abc
from collections.abc import Iterable
from typing import Union

from .substitution import Substitution

SomeSubstitutionsType = Union[str, Substitution, Iterable[str | Substitution]]
SomeSubstitutionsType_types_tuple = (str, Substitution, collections.abc.Iterable)
