"""XML of strangers: read without entities, without a network, and with numbers that are numbers."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
import re
from xml.etree import ElementTree

from mb_import.notes import Notes
from mb_model import MechanismError
from mb_model.file_api import shown

Element = ElementTree.Element

_LARGEST = 20_000_000        # bytes
_DEEPEST = 200               # elements within each other
_MOST = 200_000              # elements
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
    without end.
    """
    if '<!DOCTYPE' in (bare := _COMMENT.sub('', text)) or '<!ENTITY' in bare:
        raise MechanismError(f'{file}: declares a DOCTYPE or entities, expected XML without')
    try:
        parser = ElementTree.XMLPullParser(('start', 'end'))
        parser.feed(text.encode('utf-8') if not text.lstrip().startswith('<?xml')
                    else re.sub(r'^\s*<\?xml.*?\?>', '', text, count=1, flags=re.DOTALL)
                    .encode('utf-8'))
        parser.close()
    except (ElementTree.ParseError, ValueError) as error:
        raise MechanismError(f'{file}: is no XML: {error}') from None
    root, depth = None, 0
    for count, (event, element) in enumerate(parser.read_events()):
        root = element if root is None else root
        depth += 1 if event == 'start' else -1
        if depth > _DEEPEST or count > 2 * _MOST:
            raise MechanismError(f'{file}: more than {_MOST} elements, or {_DEEPEST} within each '
                                 'other')
    if root is None:
        raise MechanismError(f'{file}: is no XML: it has no element')
    return root


def label(element: Element, *, of: str = '') -> str:
    """Return how messages call an element: `joint knee`; of: its name, if it is no attribute."""
    name = of or element.get('name', '')
    return f'{element.tag.rpartition("}")[2]} {name}'.strip()


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
    if len(values) != count or not all(map(isfinite, values)):
        raise notes.error(item, f'{shown(text)} must be {count} finite '
                                f'number{"s" * (count > 1)}')
    return values


def number(text: str | None, notes: Notes, item: str, default: float | None = None) -> float:
    """Return the finite number of a text, as `numbers` does."""
    return numbers(text, 1, notes, item, None if default is None else (default,))[0]
