"""The form of a log of text: which encoding, separator, header and decimal mark it has."""

from collections import Counter
from collections.abc import Sequence
import csv
from dataclasses import dataclass
import re

from mb_model import Settings, setting

# By their names in files of columns; the first that fits counts, blanks are any number of them.
DELIMITERS = {'tab': '\t', ';': ';', ',': ',', '|': '|', 'blanks': ' '}
SAMPLE = 400                                # lines that are looked at
_COMMENT = re.compile(r'\s*(#|%|//)')
_SEPARATOR = re.compile(r'\s*sep=(.)\s*', re.IGNORECASE)
_NUMBER = re.compile(r'[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?|[+-]?(nan|inf)', re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r'[+-]?\d*,\d+(e[+-]?\d+)?', re.IGNORECASE)
_TIME = re.compile(r'\d{4}-\d\d-\d\d([T_ ].*)?|\d{1,2}:\d\d(:\d\d([.,]\d+)?)?')
_BRACKETS = re.compile(r'[\[(].*[\])]|-')
_KNOWN_UNITS = {'s', 'ms', 'us', 'ns', 'rad', 'deg', '°', 'm', 'mm', 'cm', 'n', 'kn', 'nm', 'bar',
                'pa', 'kpa', 'mpa', 'psi', 'v', 'a', 'g', 'rpm', 'hz', '%'}
MISSING = {'', 'nan', 'na', 'n/a', 'null', 'none', '-', '--'}       # cells that are no number


@dataclass(frozen=True)
class TextSettings(Settings):
    """How a log of text is read; what is not given is guessed."""

    delimiter: str = setting('', help='Between cells, blanks: any number of them',
                             choices=('', *DELIMITERS))
    decimal: str = setting('', help='Decimal mark', choices=('', '.', ','))
    encoding: str = setting('', help='Such as utf-8, utf-16, latin-1')
    header: int = setting(-1, at_least=-1, at_most=10 ** 6,
                          help='Line that names the columns, 0: none does; -1: guessed')


@dataclass(frozen=True)
class TextForm:
    """Form of a text: header, first: lines from 1 on, header 0 for none.

    names: of the columns, numbers from 1 on without a header; units: of the columns as a line below
    the header says them, or none; before: what is written above.
    """

    delimiter: str
    decimal: str
    header: int
    first: int
    names: list[str]
    units: list[str]
    before: list[str]


def decoded(data: bytes, encoding: str = '') -> tuple[str, str]:
    """Return (text, its encoding).  Raises ValueError if it has not the encoding that is given."""
    marks = ((b'\xff\xfe\x00\x00', 'utf-32'), (b'\xef\xbb\xbf', 'utf-8-sig'),
             (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16'))
    codec = encoding or next((name for mark, name in marks if data.startswith(mark)), '')
    if not codec and b'\0' in data[:1000]:
        codec = 'utf-16-le' if data[1:2] == b'\0' else 'utf-16-be'
    for name in (codec,) if codec else ('utf-8', 'cp1252', 'latin-1'):
        try:
            return re.sub('\r\n?', '\n', data.decode(name)), name
        except UnicodeDecodeError:
            continue
        except LookupError:
            raise ValueError(f'encoding: {name!r} is not known') from None
    raise ValueError(f'not readable as {codec}')


def is_comment(line: str) -> bool:
    """Return whether a line is a comment, or names the separator, or is blank."""
    if line[:1].isdigit():      # as most lines
        return False
    return not line.strip() or bool(_COMMENT.match(line) or _SEPARATOR.fullmatch(line))


def form_of(lines: Sequence[str], settings: TextSettings) -> TextForm:
    """Return the TextForm of the lines of a log."""
    sample = [(n, line) for n, line in enumerate(lines[:SAMPLE], 1)
              if n > settings.header and not is_comment(line)]
    delimiter = DELIMITERS.get(settings.delimiter) or _named_separator(lines) or max(
        DELIMITERS.values(), key=lambda one: _fit(one, [line for _, line in sample]))
    rows = [(n, cells_of(line, delimiter)) for n, line in sample]
    width = _width([cells for _, cells in rows])
    first = _first_row(rows, width)
    above = [(n, line) for n, line in enumerate(lines[:first - 1], 1) if line.strip()]
    if settings.header > 0:
        above = above[:sum(n <= settings.header for n, _ in above)]
    header, names, units = _header(above, delimiter, width) if settings.header else (0, [], [])
    if settings.header > 0 and header != settings.header:
        header, names = settings.header, cells_of(lines[settings.header - 1], delimiter)
    cells = [cell for _, row in rows for cell in row if len(row) == width]
    comma = delimiter != ',' and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    return TextForm(
        delimiter, settings.decimal or (',' if comma else '.'), header, first,
        names or [str(k + 1) for k in range(width)], units if names else [],
        [line.strip() for n, line in above if n != header])


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line, without blanks around them."""
    if delimiter == ' ':
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter,
                                                         skipinitialspace=True))]
    except (csv.Error, StopIteration):
        return []


def _named_separator(lines: Sequence[str]):
    """Return what a line such as sep=; says, or nothing."""
    named = [match[1] for line in lines[:20] if (match := _SEPARATOR.fullmatch(line))]
    return named[0] if named and named[0] in DELIMITERS.values() else ''


def _is_number(cell: str):
    return cell.lower() in MISSING or bool(_NUMBER.fullmatch(cell) or _TIME.fullmatch(cell))


def _share(cells: Sequence[str]):
    """Return which share of cells are numbers; none if all are empty."""
    return sum(map(_is_number, cells)) / len(cells) if any(cells) else 0.0


def _fit(delimiter: str, lines: Sequence[str]):
    """Return how well a delimiter divides lines into numbers: in equally many in each line."""
    rows = [cells_of(line, delimiter) for line in lines]
    width = _width(rows)
    alike = [cells for cells in rows if len(cells) == width]
    numbers = sum(_share(cells) for cells in alike) / max(1, len(rows))
    return numbers * (1.0 if width > 1 else 0.5)


def _width(rows: Sequence[Sequence[str]]):
    """Return how many cells most rows of numbers have."""
    weights: Counter[int] = Counter()
    for cells in rows:
        weights[len(cells)] += _share(cells) + 1e-3      # type: ignore[assignment]
    return max(weights, key=lambda width: (weights[width], width), default=1)


def _first_row(rows: Sequence[tuple[int, list[str]]], width: int):
    """Return the line of the first row: with numbers where most of the last rows have them."""
    alike = [cells for _, cells in rows if len(cells) == width]
    alike = alike[-max(2, len(alike) // 3):]
    numbers = [k for k in range(width)
               if 2 * sum(_is_number(cells[k]) for cells in alike) >= len(alike) > 0]
    for n, cells in rows:
        if len(cells) == width and any(cells[k] for k in numbers) and all(
                _is_number(cells[k]) for k in numbers):
            return n
    return rows[0][0] + 1 if rows else 1


def _header(above: Sequence[tuple[int, str]], delimiter: str, width: int):
    """Return (line, names, units) of the last lines above the rows; line 0 for none."""
    last = [(n, cells) for n, line in above[-2:] if (cells := _names_in(line, delimiter, width))]
    if not last or last[-1][0] != above[-1][0]:
        return 0, [], []
    if len(last) == 2 and _are_units(last[1][1]) and not _are_units(last[0][1]):
        return *last[0], [cell.strip('[]() ') for cell in last[1][1]]
    return *last[-1], []


def _names_in(line: str, delimiter: str, width: int):
    """Return the names of columns in a line, of a comment too; none if it is no header."""
    text = _COMMENT.sub('', line, count=1)
    splits = [cells_of(text, delimiter)]
    if delimiter == ' ':
        splits.append([cell for cell in re.split(r'\s{2,}|\t', text.strip()) if cell])
    for cells in splits:
        if len(cells) == width - 1 and delimiter != ' ':
            cells = [*cells, '']
        if len(cells) == width and any(cells) and not any(
                _NUMBER.fullmatch(cell) or _TIME.fullmatch(cell) for cell in cells):
            return cells
    return []


def _are_units(cells: Sequence[str]):
    """Return whether cells are units, not names."""
    return all(_BRACKETS.fullmatch(cell) or re.split(r'[/ ^*]', cell.lower())[0] in _KNOWN_UNITS
               for cell in cells if cell)
