"""Long logs of text, some rows at a time: tables of the same form, one after the other."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from mb_sensors.imported.table import LogError, Table, needs_csv, table_of_rows
from mb_sensors.imported.text_form import SAMPLE, TextSettings, form_of, is_comment

_ROWS = 50_000          # at once
_MARKS = b'\xff\xfe', b'\xfe\xff'       # of UTF-16 and UTF-32
_UTF_8 = b'\xef\xbb\xbf'


class NotPlainError(Exception):
    """A log that is not read some rows at a time, as all of it decides how a row is read."""


def text_tables(file: Path, settings: TextSettings, given: Sequence[str]) -> Iterator[Table]:
    """Yield Tables of the rows of a file of text, none of them empty, as one Table would have them.

    given: names of the columns, in place of a header.  Raises NotPlainError, OSError, LogError.
    """
    with file.open('rb') as binary:
        begin = binary.read(1000)
    if settings.encoding or b'\0' in begin or begin.startswith(_MARKS):
        raise NotPlainError
    with file.open(encoding='utf-8-sig' if begin.startswith(_UTF_8) else 'utf-8') as text:
        try:
            yield from _tables(file, text, settings, given)
        except UnicodeDecodeError:
            raise NotPlainError from None
        except ValueError as error:
            raise LogError(f'{file}: {error}') from None


def _tables(file: Path, text: Iterator[str], settings: TextSettings,
            given: Sequence[str]) -> Iterator[Table]:
    """Yield the same of the lines of a text.  Raises ValueError."""
    head = list(islice(text, max(SAMPLE, settings.header)))
    if not ''.join(head).strip() or settings.header > len(head):
        raise NotPlainError
    form = form_of([line.removesuffix('\n') for line in head], settings)
    numbered = islice(enumerate(chain(head, text), 1), form.first - 1, None)
    is_begun = False
    while part := list(islice(numbered, _ROWS)):
        n, last = part[-1]
        rows = [(k, line.removesuffix('\n')) for k, line in part]
        rows = [(k, line) for k, line in rows if not is_comment(line)]
        lines = [line for _, line in rows]
        if needs_csv(lines):
            raise NotPlainError
        table = table_of_rows(file, lines, [k for k, _ in rows], form, given,
                              0 if last.endswith('\n') else n, is_begun)
        if table.lines:
            is_begun = True
            yield table
        elif len(table.remarks) > 1:        # a line that is cut off, alone
            raise NotPlainError
    if not is_begun:
        raise NotPlainError
