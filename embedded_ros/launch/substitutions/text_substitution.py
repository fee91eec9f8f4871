"""A given text."""

from ..substitution import Substitution


class TextSubstitution(Substitution):
    """The text itself."""

    def __init__(self, *, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"TextSubstitution expected Text object got '{type(text)}' instead.")
        self.__text = text

    @property
    def text(self) -> str:
        return self.__text

    def describe(self) -> str:
        return f"'{self.text}'"

    def perform(self, context) -> str:
        return self.text
