"""Condition that holds if a text is true."""

from ..condition import Condition
from ..launch_context import LaunchContext
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions
from .evaluate_condition_expression_impl import evaluate_condition_expression


class IfCondition(Condition):
    """True if the predicate expression yields true or 1."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        self.__expression = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=self._predicate_func)

    def _predicate_func(self, context: LaunchContext) -> bool:
        return evaluate_condition_expression(context, self.__expression)

    def describe(self) -> str:
        text = ' + '.join(part.describe() for part in self.__expression)
        return f'IfCondition({text})'
