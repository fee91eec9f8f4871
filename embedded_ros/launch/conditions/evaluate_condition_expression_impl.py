"""Texts as truth values."""

from ..launch_context import LaunchContext
from ..substitution import Substitution
from ..utilities import perform_substitutions
from .invalid_condition_expression_error import InvalidConditionExpressionError

VALID_TRUE_EXPRESSIONS = ['true', '1']
VALID_FALSE_EXPRESSIONS = ['false', '0']


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
