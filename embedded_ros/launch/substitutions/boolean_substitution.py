"""Logic of 'true' and 'false'."""
from collections.abc import Iterable
import functools

from ..conditions.evaluate_condition_expression_impl import evaluate_condition_expression
from ..conditions.invalid_condition_expression_error import InvalidConditionExpressionError
from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions
from .described import described, exactly
from .substitution_failure import SubstitutionFailure


def truth(context, value: list[Substitution]) -> bool:
    """Return the truth value of substitutions."""
    try:
        return evaluate_condition_expression(context, value)
    except InvalidConditionExpressionError as error:
        raise SubstitutionFailure(str(error)) from error


@expose_substitution('not')
class NotSubstitution(Substitution):
    """'true' if the value is false."""

    def __init__(self, value: SomeSubstitutionsType) -> None:
        self.__value = normalize_to_list_of_substitutions(value)

    @classmethod
    def parse(cls, data):
        exactly('not', data, 1)
        return cls, {'value': data[0]}

    @property
    def value(self) -> list[Substitution]:
        return self.__value

    def describe(self) -> str:
        return f'NotSubstitution({described(self.__value)})'

    def perform(self, context) -> str:
        return str(not truth(context, self.__value)).lower()


class TwoSided(Substitution):
    """Base of logic on two values."""

    def __init__(self, left: SomeSubstitutionsType, right: SomeSubstitutionsType) -> None:
        self.__left = normalize_to_list_of_substitutions(left)
        self.__right = normalize_to_list_of_substitutions(right)

    @classmethod
    def parse(cls, data):
        exactly(cls.__name__.replace('Substitution', '').lower(), data, 2)
        return cls, {'left': data[0], 'right': data[1]}

    @property
    def left(self) -> list[Substitution]:
        return self.__left

    @property
    def right(self) -> list[Substitution]:
        return self.__right

    def describe(self) -> str:
        return f'{type(self).__name__}({described(self.left)}, {described(self.right)})'

    def sides(self, context):
        """Return both truth values; neither may be something else."""
        return truth(context, self.left), truth(context, self.right)


@expose_substitution('and')
class AndSubstitution(TwoSided):
    """'true' if both sides are."""

    def perform(self, context) -> str:
        return str(all(self.sides(context))).lower()


@expose_substitution('or')
class OrSubstitution(TwoSided):
    """'true' if one of the sides is."""

    def perform(self, context) -> str:
        return str(any(self.sides(context))).lower()


class ManySided(Substitution):
    """Base of logic on any number of values."""

    def __init__(self, *args: SomeSubstitutionsType) -> None:
        self.__args = [normalize_to_list_of_substitutions(value) for value in args]

    @classmethod
    def parse(cls, data):
        return functools.partial(cls, *data), {}

    @property
    def args(self) -> Iterable[list[Substitution]]:
        return self.__args

    def describe(self) -> str:
        return f"{type(self).__name__}({', '.join(described(value) for value in self.args)})"

    def values(self, context):
        """Return all truth values."""
        return [truth(context, value) for value in self.args]


@expose_substitution('any')
class AnySubstitution(ManySided):
    """'true' if one of the values is."""

    def perform(self, context) -> str:
        return str(any(self.values(context))).lower()


@expose_substitution('all')
class AllSubstitution(ManySided):
    """'true' if all values are."""

    def perform(self, context) -> str:
        return str(all(self.values(context))).lower()
