"""Comparison of two texts."""
import math

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import is_substitution
from .described import described, exactly

Comparable = SomeSubstitutionsType | bool | int | float


def substitutions_of(value: Comparable | None):
    """Return any value, also None, a number or a bool, as list of substitutions."""
    if is_substitution(value):
        return normalize_to_list_of_substitutions(value)
    if value is None:
        return normalize_to_list_of_substitutions('')
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
        for value_of in (truth, number):
            values = value_of(left), value_of(right)
            if None not in values:
                return math.isclose(*values)
        return left == right

    def perform(self, context) -> str:
        return str(self.equal(context)).lower()


def truth(text: str) -> bool | None:
    """Return whether the text is true (1) or false (0), None if it is neither."""
    word = text.lower()
    return word in ('true', '1') if word in ('true', 'false', '1', '0') else None


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
