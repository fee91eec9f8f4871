"""XML of strangers: read without entities, without a network, and with numbers that are numbers."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
import re
from xml.etree import ElementTree
from xml.parsers import expat

from mb_import.notes import Notes
from mb_model import MechanismError
from mb_model.file_api import shown

Element = ElementTree.Element

_LARGEST = 20_000_000        # bytes
_DEEPEST = 200               # elements within each other
_MOST = 200_000              # elements
_WIDEST = 1e30               # whose squares are numbers
_COMMENT = re.compile(r'<!--.*?-->', re.DOTALL)


def read_text(path: Path) -> str:
    """Return the text of a file; raises MechanismError."""
    try:
        if path.exists() and not path.is_file():      # one that waits for ever, or never ends
            raise MechanismError(f'{path}: no ordinary file')
        with path.open('rb') as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise MechanismError(f'{path}: no such file') from None
    except OSError as error:
        raise MechanismError(f'{path}: cannot be read ({error.strerror})') from None
    if len(data) > _LARGEST:
        raise MechanismError(f'{path}: longer than {_LARGEST} bytes')
    try:
        return data.decode('utf-8-sig')
    except UnicodeDecodeError:
        raise MechanismError(f'{path}: not a text in UTF-8') from None


def parse_xml(text: str, file: str) -> Element:
    """Return the root element of an XML text; raises MechanismError.

    Documents that declare types or entities are refused: entities may name other files, or grow
    without end.  Prefixes are parts of names (`drake:weld_constraint`): files use ones that they do
    not declare.  Comments may hold `--`, as other readers of XML let them.
    """
    bare = _COMMENT.sub(lambda comment: '\n' * comment[0].count('\n'), text).lstrip()
    if '<!DOCTYPE' in bare or '<!ENTITY' in bare:
        raise MechanismError(f'{file}: declares a DOCTYPE or entities, expected XML without')
    builder, counted = ElementTree.TreeBuilder(), _Counted(file)
    parser = expat.ParserCreate('utf-8')

    def start(tag: str, attributes: dict[str, str]) -> None:
        counted.enter()
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        counted.leave()
        builder.end(tag)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(bare.encode('utf-8', 'replace'), True)
    except expat.ExpatError as error:
        raise MechanismError(f'{file}: is no XML: {error}') from None
    return builder.close()


class _Counted:
    """How many elements there are, and how many are open; raises MechanismError for too many."""

    def __init__(self, file: str) -> None:
        self._file, self._count, self._depth = file, 0, 0

    def enter(self) -> None:
        self._count += 1
        self._depth += 1
        if self._depth > _DEEPEST or self._count > _MOST:
            raise MechanismError(f'{self._file}: more than {_MOST} elements, or {_DEEPEST} within '
                                 'each other')

    def leave(self) -> None:
        self._depth -= 1


def label(element: Element, *, of: str = '') -> str:
    """Return how messages call an element: `joint knee`; of: its name, if it is no attribute."""
    name = of or element.get('name', '')
    return f'{element.tag} {name}'.strip()


def numbers(text: str | None, count: int, notes: Notes, item: str,
            default: Sequence[float] | None = None) -> tuple[float, ...]:
    """Return `count` finite numbers of a text; default: where there is none.

    Raises MechanismError naming the item and what was expected.
    """
    if text is None or not text.strip():
        if default is None:
            raise notes.error(item, f'missing, expected {count} number{"s" * (count > 1)}')
        return tuple(default)
    words = text.split()
    try:
        values = tuple(float(word) for word in words)
    except ValueError:
        values = ()
    if len(values) != count or not all(isfinite(one) and abs(one) <= _WIDEST for one in values):
        raise notes.error(item, f'{shown(text)} must be {count} finite '
                                f'number{"s" * (count > 1)} within {_WIDEST:g}')
    return values


def number(text: str | None, notes: Notes, item: str, default: float | None = None) -> float:
    """Return the finite number of a text, as `numbers` does."""
    return numbers(text, 1, notes, item, None if default is None else (default,))[0]
