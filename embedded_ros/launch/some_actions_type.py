"""Type of an action or several."""
import collections.abc
from collections.abc import Iterable

from .action import Action

SomeActionsType = Action | Iterable[Action]
SomeActionsType_types_tuple = (Action, collections.abc.Iterable)
