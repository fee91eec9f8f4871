"""The text of an .adm file (MSC Adams Solver) as its statements.

The first line is a title, `!` starts a comment, and a line that starts with a comma continues the
statement before.  Arguments are words (`GROUND`) or have values (`QP = 0, 0, 2`).
"""

from dataclasses import dataclass
import math
import re

_NUMBER = re.compile(r'([-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?)(D?)', re.IGNORECASE)
# Pictures, output and control of the solver: nothing of the mechanism depends on them.
LEFT_OUT = ('GRAPHICS', 'REQUEST', 'MREQUEST', 'OUTPUT', 'RESULTS', 'VARIABLE', 'INTEGRATOR',
            'LIST', 'SOLVER', 'STRING', 'DEBUG', 'END')


class AdamsError(ValueError):
    """An .adm file that cannot be read; the text says where and why."""


@dataclass(frozen=True)
class Statement:
    """A statement such as PART/2, MASS = 1, CM = 201.

    words: arguments without a value; values: argument -> its texts; where: file and line.
    """

    kind: str
    number: int
    words: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    where: str

    def fail(self, why: str) -> AdamsError:
        """Return the error of this statement."""
        return AdamsError(f'{self.where}: {self.kind}/{self.number}: {why}')

    def allow(self, *keys: str) -> None:
        """Raise AdamsError for arguments with values beside keys, which would be ignored."""
        for key in self.values:
            if key not in keys:
                raise self.fail(f'{key}: not supported, supported are {", ".join(keys)}')

    def numbers(self, key: str, *counts: int, default: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return the numbers of an argument, one of counts of them [angles in radians]."""
        if key not in self.values:
            if default:
                return default
            raise self.fail(f'{key}: missing')
        numbers = tuple(self._number(key, text) for text in self.values[key])
        if len(numbers) not in counts:
            raise self.fail(f'{key}: {len(numbers)} numbers, expected '
                            f'{" or ".join(map(str, counts))}')
        return numbers

    def identifier(self, key: str) -> int:
        """Return the number of what an argument names, such as a marker."""
        return int(self.numbers(key, 1)[0])

    def text(self, key: str) -> str:
        """Return an argument as one text."""
        if key not in self.values:
            raise self.fail(f'{key}: missing')
        return ' '.join(self.values[key])

    def _number(self, key: str, text: str) -> float:
        match = _NUMBER.fullmatch(text.replace(' ', ''))
        if not match:
            raise self.fail(f'{key}: {text!r} is no number')
        value = float(match.group(1))
        if not math.isfinite(value):
            raise self.fail(f'{key}: {text} is too large')
        return math.radians(value) if match.group(2) else value


def read_statements(text: str, file: str) -> list[Statement]:
    """Return the statements of a text but for those LEFT_OUT; raises AdamsError."""
    joined: list[tuple[int, str]] = []
    for line, content in enumerate(text.splitlines()[1:], 2):
        content = content.partition('!')[0].strip()
        if content.startswith(',') and joined:
            joined[-1] = joined[-1][0], joined[-1][1] + content
        elif content:
            joined.append((line, content))
    statements: dict[tuple[str, int], Statement] = {}
    for line, content in joined:
        if _kind(content) not in LEFT_OUT:
            one = _statement(content, f'{file}:{line}')
            if statements.setdefault((one.kind, one.number), one) is not one:
                raise one.fail('there are two of it')
    return list(statements.values())


def _kind(content: str) -> str:
    return re.split(r'[/,\s]', content, maxsplit=1)[0].upper()


def _statement(content: str, where: str) -> Statement:
    head, *arguments = _split(content)
    kind, _, number = head.partition('/')
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    key = ''
    for argument in arguments:
        name, equals, value = (part.strip() for part in argument.partition('='))
        if equals:
            key = name.upper()
            values[key] = (value,)
        elif key and (key == 'FUNCTION' or _NUMBER.fullmatch(name.replace(' ', ''))):
            values[key] = (*values[key], name)
        elif name:
            words.append(name.upper())
    try:
        return Statement(kind.strip().upper(), int(number or 0), tuple(words), values, where)
    except ValueError:
        raise AdamsError(f'{where}: {head!r}: expected a statement such as PART/2') from None


def _split(content: str) -> list[str]:
    """Return the parts of a text between commas that are not in brackets."""
    parts, depth = [''], 0
    for character in content:
        depth += (character == '(') - (character == ')')
        if character == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
