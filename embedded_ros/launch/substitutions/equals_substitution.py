"""Comparison of two texts."""
from collections.abc import Iterable
import math
from typing import Any

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, exactly

Comparable = SomeSubstitutionsType | bool | int | float


def substitutions_of(value: Comparable):
    """Return any value, a number or a bool too, as list of substitutions."""
    if isinstance(value, (str, Substitution)):
        return normalize_to_list_of_substitutions(value)
    if isinstance(value, Iterable):
        return normalize_to_list_of_substitutions(
            [part if isinstance(part, Substitution) else str(part) for part in value])
    return normalize_to_list_of_substitutions(str(value))


@expose_substitution('equals')
class EqualsSubstitution(Substitution):
    """'true' if both sides are equal as texts, truth values or numbers, else 'false'."""

    def __init__(self, left: Comparable, right: Comparable) -> None:
        self.__left = substitutions_of(left)
        self.__right = substitutions_of(right)

    @classmethod
    def parse(cls, data):
        exactly('equals', data, 2)
        return cls, {'left': data[0], 'right': data[1]}

    @property
    def left(self):
        return self.__left

    @property
    def right(self):
        return self.__right

    def describe(self) -> str:
        return f'{type(self).__name__}({described(self.__left)}, {described(self.__right)})'

    def equal(self, context) -> bool:
        left = perform_substitutions(context, self.__left)
        right = perform_substitutions(context, self.__right)
        return left == right or same_value(value_of(left), value_of(right))

    def perform(self, context) -> str:
        return str(self.equal(context)).lower()


def value_of(text: str) -> Any:
    """Return a bool or a float if the text is one, else None."""
    if text.lower() in ('true', 'false'):
        return text.lower() == 'true'
    try:
        return float(text)
    except ValueError:
        return None


def same_value(left: Any, right: Any) -> bool:
    """Return whether both are bools, or both numbers, and equal (within rounding)."""
    if left is None or right is None or isinstance(left, bool) != isinstance(right, bool):
        return False
    return left == right or (not isinstance(left, bool) and math.isclose(left, right))
