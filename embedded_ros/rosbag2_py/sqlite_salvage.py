"""What can be read of an sqlite3 file, whatever happened to it: rows out of its leaf pages.

Neither the schema nor the tree above the leaves is needed.  Source: Database File Format of SQLite,
sections B-tree Pages, Record Format, Cell Payload Overflow Pages.
"""
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from typing import NamedTuple

MAGIC = b'SQLite format 3\0'
HEADER = 100                # [byte] of the file
PAGE_SIZE = 4096            # where the header is damaged
MOST_READ = 8               # times the size of the file: a page may be named again and again
_LEAF = 13                  # of a table
_FIXED = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}      # serial type -> bytes of a whole number


class Row(NamedTuple):
    """A row of a table; numbers, texts, bytes and None."""

    number: int
    values: tuple


class PageError(ValueError):
    """A row that cannot be read."""


class SqliteSalvage:
    """Finds rows; the tables of a bag differ in the kinds of their values."""

    def __init__(self, path):
        self._path = path

    def rows(self):
        """Yield the Rows of all leaf pages, in the order of the file."""
        with open(self._path, 'rb') as handle:
            if handle.seek(0, 2) < HEADER:
                return
            with mmap(handle.fileno(), 0, access=ACCESS_READ) as data:
                yield from self._pages(data)

    def _pages(self, data):
        self._size, self._usable = _page_size(data)
        self._room = MOST_READ * len(data)
        for begin in range(0, len(data), self._size):
            header = begin + (HEADER if begin == 0 else 0)
            if header + 8 <= len(data) and data[header] == _LEAF:
                yield from self._leaf(data, begin, header)

    def _leaf(self, data, begin, header):
        count = int.from_bytes(data[header + 3:header + 5], 'big')
        end = min(begin + self._size, len(data))
        if header + 8 + 2 * count > end:
            return
        for place in range(header + 8, header + 8 + 2 * count, 2):
            cell = begin + int.from_bytes(data[place:place + 2], 'big')
            if header + 8 + 2 * count <= cell < end:
                with suppress(PageError, IndexError, UnicodeDecodeError):
                    yield self._row(data, cell)

    def _row(self, data, cell):
        size, at = _varint(data, cell)
        number, at = _varint(data, at)
        return Row(number, _values(self._payload(data, at, size)))

    def _payload(self, data, at, size):
        """The bytes of a row, also on overflow pages."""
        if size > min(len(data), self._room):
            raise PageError
        self._room -= size
        local = self._local(size)
        parts, rest = [bytes(data[at:at + local])], size - local
        page = int.from_bytes(data[at + local:at + local + 4], 'big') if rest else 0
        while rest > 0:
            begin = (page - 1) * self._size
            if not 0 < begin < len(data):
                raise PageError
            part = bytes(data[begin + 4:begin + 4 + min(rest, self._usable - 4)])
            if not part:
                raise PageError
            parts.append(part)
            rest -= len(part)
            page = int.from_bytes(data[begin:begin + 4], 'big')
        payload = b''.join(parts)
        if len(payload) != size:
            raise PageError
        return payload

    def _local(self, size):
        """How many bytes of a row are on its leaf."""
        most, least = self._usable - 35, (self._usable - 12) * 32 // 255 - 23
        if size <= most:
            return size
        fitting = least + (size - least) % (self._usable - 4)
        return fitting if fitting <= most else least


def _page_size(data):
    """Size of pages, and of what of them is used [byte]."""
    size = int.from_bytes(data[16:18], 'big')
    size = 65536 if size == 1 else size
    if data[:len(MAGIC)] != MAGIC or size < 512 or size & (size - 1) or data[20] > 32:
        return PAGE_SIZE, PAGE_SIZE
    return size, size - data[20]


def _varint(data, at):
    """(number, where it ends) of up to nine bytes."""
    value = 0
    for k in range(8):
        value = value << 7 | data[at + k] & 0x7f
        if data[at + k] < 0x80:
            return value, at + k + 1
    return value << 8 | data[at + 8], at + 9


def _values(payload):
    """The values of a row."""
    end, at = _varint(payload, 0)
    begin, values = end, []
    if not at <= end <= len(payload):
        raise PageError
    while at < end:
        kind, at = _varint(payload, at)
        if kind == 0:
            size, value = 0, None
        elif kind in _FIXED:
            size = _FIXED[kind]
            value = int.from_bytes(payload[begin:begin + size], 'big', signed=True)
        elif kind in (8, 9):
            size, value = 0, kind - 8
        elif kind >= 12:
            size = (kind - 12) // 2
            value = payload[begin:begin + size]
            if kind % 2:
                value = value.decode()
        else:
            raise PageError         # a real number, or reserved: no table of a bag has such
        begin += size
        values.append(value)
    if begin != len(payload):
        raise PageError
    return tuple(values)
