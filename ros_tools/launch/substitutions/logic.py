"""Logic of 'true' and 'false', and comparisons."""
import math

from ..conditions import InvalidConditionExpressionError, evaluate_condition_expression
from ..frontend.expose import expose_substitution
from ..launch_description_entity import SomeSubstitutionsType, Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import is_substitution, perform_typed_substitution
from .values import SubstitutionFailure, described, exactly, from_to

Comparable = SomeSubstitutionsType | bool | int | float


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

    def describe(self) -> str:
        return f'{type(self).__name__}({described(self.__left)}, {described(self.__right)})'

    def sides(self, context):
        """Return both truth values; neither may be something else."""
        return truth(context, self.__left), truth(context, self.__right)


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

    def describe(self) -> str:
        return f'{type(self).__name__}({described(self.__left)}, {described(self.__right)})'

    def equal(self, context) -> bool:
        left = perform_substitutions(context, self.__left)
        right = perform_substitutions(context, self.__right)
        for value_of in (truth_of, number_of):
            values = value_of(left), value_of(right)
            if None not in values:
                return math.isclose(*values)
        return left == right

    def perform(self, context) -> str:
        return str(self.equal(context)).lower()


def truth_of(text: str) -> bool | None:
    """Return whether the text is true (1) or false (0), None if it is neither."""
    word = text.lower()
    return word in ('true', '1') if word in ('true', 'false', '1', '0') else None


def number_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@expose_substitution('if')
class IfElseSubstitution(Substitution):
    """if_value if the condition is true, else else_value."""

    def __init__(self, condition: SomeSubstitutionsType, if_value: SomeSubstitutionsType = '',
                 else_value: SomeSubstitutionsType = '') -> None:
        self.__condition = normalize_to_list_of_substitutions(condition)
        self.__if_value = normalize_to_list_of_substitutions(if_value)
        self.__else_value = normalize_to_list_of_substitutions(else_value)
        if if_value == else_value == '':
            raise RuntimeError('One of if_value and else_value should be specified')

    @classmethod
    def parse(cls, data):
        from_to('if', data, 2, 3)
        return cls, dict(zip(('condition', 'if_value', 'else_value'), data, strict=False))

    def describe(self) -> str:
        return (f'IfElseSubstitution({described(self.__condition)}, '
                f'{described(self.__if_value)}, {described(self.__else_value)})')

    def perform(self, context) -> str:
        try:
            condition = perform_typed_substitution(context, self.__condition, bool)
        except (TypeError, ValueError) as error:
            raise SubstitutionFailure(str(error)) from error
        return perform_substitutions(
            context, self.__if_value if condition else self.__else_value)
