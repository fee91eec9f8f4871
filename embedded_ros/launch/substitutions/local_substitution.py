"""A value of the launch context's locals."""

from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure


class LocalSubstitution(Substitution):
    """A Python expression on an attribute of context.locals, such as 'event.reason'."""

    def __init__(self, expression: str, description: str | None = None) -> None:
        if not isinstance(expression, str):
            raise TypeError("LocalSubstitution expected 'expression' to be a str, "
                            f"got '{type(expression)}'")
        self.__expression = expression
        self.__description = description

    @property
    def expression(self) -> str:
        return self.__expression

    def describe(self) -> str:
        return f"LocalVar('{self.__description or self.__expression}')"

    def perform(self, context) -> str:
        try:
            value = eval('context.locals.' + self.__expression, {}, {'context': context})
        except (AttributeError, KeyError, IndexError) as error:
            raise SubstitutionFailure(
                f"failed to evaluate '{self.__expression}' in the local variables: {error}"
            ) from error
        return str(value)
