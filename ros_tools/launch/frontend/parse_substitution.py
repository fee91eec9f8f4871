"""Texts with $(substitutions) in them.

text:          characters, `$(name argument ...)`; a backslash takes a special character literally
argument:      unquoted (ends at a blank), 'quoted' or "quoted"; each may hold substitutions
"""
import re

from .expose import instantiate_substitution

NAME = re.compile(r'\s*([\w][\w-]*)')
ESCAPE = re.compile(r'\\(.)', re.S)


class SubstitutionParser:
    """A recursive descent over one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def template(self, end: str = '', quoted: bool = False) -> list:
        """Return the parts up to an unescaped character of `end`, or to the end of the text.

        quoted: inside of quotes, where further quotes are characters like others.
        """
        parts: list = []
        plain = ''
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in end or (end == ' )' and char.isspace()):
                break
            escape = ESCAPE.match(self.text, self.at)
            if escape:
                plain += escape.group(1)
                self.at = escape.end()
            elif self.text.startswith('$(', self.at):
                parts += text_parts(plain)
                plain = ''
                parts.append(self.substitution(quoted))
            else:
                plain += char
                self.at += 1
        return parts + text_parts(plain)

    def substitution(self, quoted: bool = False):
        """Return the substitution that begins here."""
        start = self.at
        self.at += 2
        name = NAME.match(self.text, self.at)
        if not name:
            raise ValueError(f'expected the name of a substitution in {self.text[start:]!r}')
        self.at = name.end()
        arguments = []
        while True:
            self.skip_blanks()
            if self.at >= len(self.text):
                raise ValueError(f"expected ')' at the end of {self.text[start:]!r}")
            if self.text[self.at] == ')':
                self.at += 1
                return instantiate_substitution(name.group(1), arguments)
            arguments.append(self.argument(quoted))

    def argument(self, quoted: bool) -> list:
        quote = self.text[self.at]
        if quoted or quote not in '\'"':
            return self.template(end=' )', quoted=quoted)
        start = self.at
        self.at += 1
        parts = self.template(end=quote, quoted=True)
        if self.at >= len(self.text):
            raise ValueError(f'expected a closing quote in {self.text[start:]!r}')
        self.at += 1
        return parts or text_parts('', keep_empty=True)

    def skip_blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1


def text_parts(plain: str, keep_empty: bool = False) -> list:
    from ..substitutions import TextSubstitution
    return [TextSubstitution(text=plain)] if plain or keep_empty else []


def parse_substitution(string_value: str) -> list:
    """Return the list of substitutions a text stands for."""
    if not string_value:
        return text_parts('', keep_empty=True)
    return SubstitutionParser(string_value).template()


def parse_if_substitutions(value):
    """Return substitutions for a text that holds some, other values as they are; so in lists."""
    if isinstance(value, str):
        return plain_or_substitutions(value)
    if isinstance(value, list):
        items = [plain_or_substitutions(item) if isinstance(item, str) else item for item in value]
        if len({type(item) for item in items if not isinstance(item, list)}) > 1:
            raise ValueError(f'The items of {value} are not of one type')
        return items
    return value


def plain_or_substitutions(text: str):
    parts = parse_substitution(text)
    if len(parts) == 1 and type(parts[0]) is type(text_parts('a')[0]):
        return parts[0].text
    return parts
