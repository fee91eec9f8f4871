"""Conditions: truth values that are known when the launch runs."""
from collections.abc import Callable

from .launch_context import LaunchContext
from .launch_description_entity import SomeSubstitutionsType, Substitution
from .utilities import normalize_to_list_of_substitutions, perform_substitutions

VALID_TRUE_EXPRESSIONS = ['true', '1']
VALID_FALSE_EXPRESSIONS = ['false', '0']


class Condition:
    """A predicate of the launch context."""

    def __init__(self, *, predicate: Callable[[LaunchContext], bool] | None = None) -> None:
        self._predicate = predicate

    def describe(self) -> str:
        return self.__repr__()

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether the condition holds now; a NotImplementedError without predicate."""
        if self._predicate is None:
            raise NotImplementedError('This condition has no predicate')
        return self._predicate(context)


class InvalidConditionExpressionError(Exception):
    """The text of a condition is neither true nor false."""


def evaluate_condition_expression(context: LaunchContext, expression: list[Substitution]) -> bool:
    """Return whether the substitutions yield true or 1 (false, 0), in any case of letters."""
    text = perform_substitutions(context, expression)
    word = text.strip().lower()
    if word in VALID_TRUE_EXPRESSIONS:
        return True
    if word in VALID_FALSE_EXPRESSIONS:
        return False
    valid = ', '.join(VALID_TRUE_EXPRESSIONS + VALID_FALSE_EXPRESSIONS)
    raise InvalidConditionExpressionError(
        f"invalid condition expression, expected one of [{valid}] but got '{word}'")


class IfCondition(Condition):
    """True if the predicate expression yields true or 1."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        self.__expression = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=self._predicate_func)

    def _predicate_func(self, context: LaunchContext) -> bool:
        return evaluate_condition_expression(context, self.__expression)

    def describe(self) -> str:
        text = ' + '.join(part.describe() for part in self.__expression)
        return f'{type(self).__name__}({text})'


class UnlessCondition(IfCondition):
    """True if the predicate expression yields false or 0."""

    def _predicate_func(self, context: LaunchContext) -> bool:
        return not super()._predicate_func(context)


class LaunchConfigurationEquals(Condition):
    """True if the configuration equals the expected text (None: it is undefined)."""

    def __init__(self, launch_configuration_name: str,
                 expected_value: SomeSubstitutionsType | None) -> None:
        self.__name = launch_configuration_name
        self.__expected = (None if expected_value is None
                           else normalize_to_list_of_substitutions(expected_value))
        super().__init__(predicate=self._predicate_func)

    def _predicate_func(self, context: LaunchContext) -> bool:
        expected = self.__expected
        if expected is not None:
            expected = perform_substitutions(context, expected)
        return context.launch_configurations.get(self.__name) == expected

    def describe(self) -> str:
        return f"{type(self).__name__}('{self.__name}')"


class LaunchConfigurationNotEquals(LaunchConfigurationEquals):
    """True if the configuration differs from the expected text (None: it is not undefined)."""

    def _predicate_func(self, context: LaunchContext) -> bool:
        return not super()._predicate_func(context)
