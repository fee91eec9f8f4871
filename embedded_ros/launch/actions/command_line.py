"""Command lines of launch files as lists of arguments."""
from ..substitution import Substitution
from ..substitutions.text_substitution import TextSubstitution


class CommandLine:
    """Splits texts and substitutions at blanks, but not inside of quotes."""

    def __init__(self) -> None:
        self.arguments: list[list[Substitution]] = []
        self._current: list[Substitution] = []
        self._text = ''
        self._quote = ''
        self._begun = False

    def add(self, part: Substitution) -> None:
        """Add the next part of the line."""
        if isinstance(part, TextSubstitution):
            self._add_text(part.text)
        else:
            self._end_text()
            self._current.append(part)
            self._begun = True

    def _add_text(self, text: str) -> None:
        chars = iter(text)
        for char in chars:
            if char == '\\' and self._quote != "'":
                self._text += next(chars, '\\')
                self._begun = True
            elif self._quote:
                if char == self._quote:
                    self._quote = ''
                else:
                    self._text += char
            elif char in '\'"':
                self._quote = char
                self._begun = True
            elif char.isspace():
                self.end_argument()
            else:
                self._text += char
                self._begun = True

    def _end_text(self) -> None:
        if self._text:
            self._current.append(TextSubstitution(text=self._text))
            self._text = ''

    def end_argument(self) -> None:
        """Close the argument that has been begun, if there is one."""
        self._end_text()
        if self._begun:
            self.arguments.append(self._current or [TextSubstitution(text='')])
        self._current, self._begun = [], False


def split_command_line(parts) -> list[list[Substitution]]:
    """Return the arguments of a command line; a ValueError if a quote is not closed."""
    line = CommandLine()
    for part in parts:
        line.add(part)
    if line._quote:
        raise ValueError(f'a quote {line._quote} is not closed in a command line')
    line.end_argument()
    return line.arguments
