"""A text that should be a truth value and is none."""


class InvalidConditionExpressionError(Exception):
    """The text of a condition is neither true nor false."""
